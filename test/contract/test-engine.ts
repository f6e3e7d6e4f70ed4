import { ApiError } from '../../src/core/protocol/errors.ts';
import { engineOf, type Engine } from '../../src/core/protocol/engine.ts';
import {
  isEventOf,
  type EventOf,
  type FinishReason,
  type GenerateEvent,
  type SpeakEvent,
  type Usage,
} from '../../src/core/protocol/events.ts';
import type { ApiOperation, GenerateJob, JobOf, SpeakJob } from '../../src/core/protocol/jobs.ts';
import { checkSchemas } from '../../src/engine/text/answer-grammar.ts';

/** One step of a scripted run: an event, a failure, or something to wait for. */
export type Step = EventOf<ApiOperation> | Error | Promise<unknown>;

/** A run as the engine saw it. */
export interface Run<J = GenerateJob> {
  job: J;
  signal: AbortSignal;
  /** The run is over, by itself or by an abort. */
  ended: boolean;
}

export const USAGE: Usage = { promptTokens: 7, completionTokens: 3, cachedTokens: 2 };

export function text(piece: string): GenerateEvent {
  return { type: 'text', text: piece };
}

/** The call with this index begins. Its id contains the index. */
export function toolCall(index: number, name: string): GenerateEvent {
  return { type: 'tool-call', index, id: `call_${index}`, name };
}

export function toolArguments(index: number, piece: string): GenerateEvent {
  return { type: 'tool-arguments', index, text: piece };
}

export function finish(reason: FinishReason = 'stop', usage = USAGE): GenerateEvent {
  return { type: 'finish', reason, usage };
}

export function audio(...bytes: number[]): SpeakEvent {
  return { type: 'audio', bytes: new Uint8Array(bytes) };
}

export function spoken(...header: number[]): SpeakEvent {
  return { type: 'spoken', seconds: 1, header: new Uint8Array(header) };
}

/** What an engine that hangs does. */
export const HANG: Promise<never> = new Promise(() => undefined);

/**
 * An engine that answers as the test says, and remembers what it was asked. It checks schemas as the
 * engine of text models does.
 */
export class TestEngine implements Engine<ApiOperation> {
  readonly runs: Run[] = [];
  readonly speeches: Run<SpeakJob>[] = [];
  readonly #scripts: Step[][] = [];
  readonly #engine = engineOf<ApiOperation>({
    generate: (job, signal) => this.#generate(job, signal),
    speak: (job, signal) => this.#follow<'speak'>(job, signal, this.speeches, this.#speech),
  });
  #otherwise: Step[] = [{ type: 'start' }, text('Hello'), text(' there'), finish()];
  #speech: Step[] = [audio(1, 2), audio(3), spoken()];

  /** The next run follows these steps; the ones after it answer as usual again. */
  next(...steps: Step[]): void {
    this.#scripts.push(steps);
  }

  /** Every run without steps of its own follows these. */
  always(...steps: Step[]): void {
    this.#otherwise = steps;
  }

  /** Every speech without steps of its own follows these. */
  alwaysSpeak(...steps: Step[]): void {
    this.#speech = steps;
  }

  /** The last speech; fails the test when there was none. */
  get lastSpeech(): Run<SpeakJob> {
    const run = this.speeches.at(-1);
    if (!run) throw new Error('The engine was not asked to speak.');
    return run;
  }

  /** The last run; fails the test when there was none. */
  get last(): Run {
    const run = this.runs.at(-1);
    if (!run) throw new Error('The engine was not asked.');
    return run;
  }

  run<Op extends ApiOperation>(job: JobOf<Op>, signal: AbortSignal): AsyncIterable<EventOf<Op>> {
    return this.#engine.run(job, signal);
  }

  async *#generate(job: GenerateJob, signal: AbortSignal): AsyncGenerator<GenerateEvent> {
    checkSchemas(job);
    yield* this.#follow<'generate'>(job, signal, this.runs, this.#otherwise);
  }

  async *#follow<Op extends ApiOperation>(
    job: JobOf<Op>,
    signal: AbortSignal,
    runs: Run<JobOf<Op>>[],
    otherwise: Step[],
  ): AsyncGenerator<EventOf<Op>, void, undefined> {
    const run: Run<JobOf<Op>> = { job, signal, ended: false };
    runs.push(run);
    const own = this.#scripts.shift();
    try {
      for (const step of own === undefined ? otherwise : own) {
        signal.throwIfAborted();
        if (step instanceof Error) throw step;
        if (step instanceof Promise) await abortable(step, signal);
        else if (isEventOf(job.op, step)) yield step;
        else throw new Error(`A ${job.op} job has no event ${step.type}.`);
      }
    } finally {
      run.ended = true;
    }
  }
}

/** The promise's result. If the signal aborts first, rejects with its reason. */
function abortable(promise: Promise<unknown>, signal: AbortSignal): Promise<unknown> {
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  return Promise.race([promise, aborted]);
}

/** A foreseen failure of the engine. */
export function apiError(status: number, type: string, code: string, rest = {}): ApiError {
  return new ApiError({ status, type, code, param: null, message: `It is ${code}.`, ...rest });
}
