import type { CatalogStore } from '../core/stores/catalog-store.ts';
import { engineOf, withoutEvents, type Engine } from '../core/protocol/engine.ts';
import { modelNotFound } from '../core/protocol/errors.ts';
import type { EventOf, KeptEvent, SpeakEvent } from '../core/protocol/events.ts';
import type { JobOf, Operation, SpeakJob } from '../core/protocol/jobs.ts';
import { orAborted } from '../core/async/or-aborted.ts';
import type { ModelMemory } from './scheduling/model-memory.ts';
import type { SpeechModelOperation } from './onnx/speech/speech-host.ts';
import type { LocalOperation } from './text/text-engine.ts';

interface Parts {
  catalog: Pick<CatalogStore, 'get'>;
  memory: Pick<ModelMemory, 'expect'>;
  chat: Engine<LocalOperation>;
  speech: Engine<SpeechModelOperation>;
}

/** Operations that text and speech models share. */
type SharedOperation = LocalOperation & SpeechModelOperation;

/** All models of this worker as one engine: each job goes to the engine that runs its model. */
export class RoutedEngine implements Engine {
  readonly #parts: Parts;
  readonly #engine: Engine;

  constructor(parts: Parts) {
    this.#parts = parts;
    const { chat } = parts;
    this.#engine = engineOf<Operation>({
      generate: (job, signal) => chat.run(job, signal),
      speak: (job, signal) => this.#speak(job, signal),
      load: (job, signal) => withoutEvents(() => this.#shared(job, signal)),
      unload: (job, signal) => withoutEvents(() => this.#shared(job, signal)),
      remove: (job, signal) => withoutEvents(() => this.#shared(job, signal)),
      keep: (job, signal) => this.#keep(job.model, signal),
      install: (job, signal) => chat.run(job, signal),
      pause: (job, signal) => chat.run(job, signal),
      add: (job, signal) => chat.run(job, signal),
      states: (job, signal) => chat.run(job, signal),
      watch: (job, signal) => chat.run(job, signal),
    });
  }

  run<Op extends Operation>(job: JobOf<Op>, signal: AbortSignal): AsyncIterable<EventOf<Op>> {
    return this.#engine.run(job, signal);
  }

  async *#speak(job: SpeakJob, signal: AbortSignal): AsyncGenerator<SpeakEvent, void, undefined> {
    if (!(await this.#speaks(job.model))) throw modelNotFound(job.model, 'It does not speak.');
    yield* this.#parts.speech.run(job, signal);
  }

  async *#shared(job: JobOf<SharedOperation>, signal: AbortSignal): AsyncGenerator<never> {
    const { chat, speech } = this.#parts;
    yield* (await this.#speaks(job.model)) ? speech.run(job, signal) : chat.run(job, signal);
  }

  async *#keep(model: string, signal: AbortSignal): AsyncGenerator<KeptEvent, void, undefined> {
    const end = this.#parts.memory.expect(model);
    try {
      yield* this.run({ op: 'load', model }, signal);
      yield { type: 'kept' };
      await orAborted(new Promise<never>(() => undefined), signal);
    } finally {
      end();
    }
  }

  async #speaks(model: string): Promise<boolean> {
    return (await this.#parts.catalog.get(model))?.speech !== undefined;
  }
}
