import { afterHearing } from '../../../core/operations/delivery.ts';
import { engineOf, withoutEvents, type Engine } from '../../../core/port/engine.ts';
import type { EventOf, TranscribeEvent } from '../../../core/operations/events.ts';
import type { JobOf } from '../../../core/operations/jobs.ts';
import { whenThereIsPlace } from '../../workers/when-there-is-place.ts';
import { WorkerPool, type PoolParts } from '../../workers/worker-pool.ts';
import type { HearingOperation } from './hearing-engine.ts';

/**
 * The encoder reads a window at once, without a sign of life: that of large-v3 computes 2.3 trillion operations, for which
 * one slow thread needs minutes.
 */
const ENCODER_TIMEOUT_MS = 600_000;

/** What the engine worker does with models that hear. */
export type HearingModelOperation = 'transcribe' | 'load' | 'unload';

/**
 * The jobs of models that hear in the engine worker. Each model has a worker of its own. A transcription takes a turn
 * for each window of the recording, so that it holds up nobody for long.
 */
export class HearingHost implements Engine<HearingModelOperation> {
  readonly #pool: WorkerPool<HearingOperation>;
  readonly #engine = engineOf<HearingModelOperation>({
    transcribe: (job, signal) => this.#transcribe(job, signal),
    load: (job, signal) => withoutEvents(() => this.#pool.load(job, signal)),
    unload: (job, signal) => withoutEvents(() => this.#pool.unload(job.model, signal)),
  });

  constructor(parts: PoolParts<HearingOperation>) {
    this.#pool = new WorkerPool({ timeoutMs: ENCODER_TIMEOUT_MS, ...parts });
  }

  /** Whether a model is in memory. */
  has(model: string): boolean {
    return this.#pool.has(model);
  }

  run<Op extends HearingModelOperation>(
    job: JobOf<Op>,
    signal: AbortSignal,
  ): AsyncIterable<EventOf<Op>> {
    return this.#engine.run(job, signal);
  }

  async *#transcribe(
    job: JobOf<'transcribe'>,
    signal: AbortSignal,
  ): AsyncGenerator<TranscribeEvent, void, undefined> {
    let { from } = job;
    for (let isFirst = true; ; isFirst = false) {
      const part = from ? { ...job, from } : job;
      const next = () =>
        this.#pool.run(part, signal, (worker) =>
          heardOrSigns(worker.run(part, signal), from?.seconds ?? 0),
        );
      let isOpen = false;
      // The first window has a place in the queue or fails; the others wait for one.
      for await (const event of isFirst ? next() : whenThereIsPlace(next, signal)) {
        isOpen = event.type === 'heard';
        if (event.type === 'heard') from = afterHearing(from, event);
        yield event;
      }
      if (!isOpen) return;
    }
  }
}

/** What was heard; in between, signs that the window which begins at `seconds` is still being read. */
async function* heardOrSigns(
  events: AsyncIterable<TranscribeEvent>,
  seconds: number,
): AsyncGenerator<TranscribeEvent | undefined, void, undefined> {
  for await (const event of events) {
    yield event.type === 'heard' && event.until === seconds ? undefined : event;
  }
}
