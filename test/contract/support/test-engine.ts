import { ApiError } from '../../../src/core/errors/errors.ts';
import { EventQueue } from '../../../src/core/async/event-queue.ts';
import {
  engineOf,
  withoutEvents,
  type Engine,
  type Runs,
  type Take,
} from '../../../src/core/port/engine.ts';
import {
  isEventOf,
  type DecideEvent,
  type EventOf,
  type FinishReason,
  type GenerateEvent,
  type Progress,
  type ProgressEvent,
  type ProgressStage,
  type SpeakEvent,
  type TokensEvent,
  type Usage,
} from '../../../src/core/operations/events/events.ts';
import type {
  ApiOperation,
  DecideJob,
  EmbedJob,
  GenerateJob,
  JobOf,
  RerankJob,
  SpeakJob,
  TokensJob,
} from '../../../src/core/operations/jobs/jobs.ts';
import { shownChat, shownPrompt } from '../../../src/engine/images/showing-images.ts';
import { KeptAnswers } from '../../../src/engine/host/kept-answers.ts';
import { Metrics, type CountedJob } from '../../../src/engine/host/metrics.ts';
import { checkSchemas } from '../../../src/engine/conversation/constraint/answer-grammar.ts';
import { TestFiles } from './test-files.ts';
import { TestServers } from './test-servers.ts';
import { counted, decided, embedded, ranked } from './computed-events.ts';

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

/** The event of a window with one segment. */
export function heard(start: number, words: string): EventOf<'transcribe'> {
  const segment = {
    start,
    end: start + 1,
    window: 0,
    text: words,
    tokens: [1, 2],
    temperature: 0,
    averageLogprob: -0.1,
    compressionRatio: 1,
    noSpeech: 0.01,
    words: [{ word: words.trim(), start, end: start + 1 }],
  };
  const tokens = { read: 3, written: 2 };
  return { type: 'heard', segments: [segment], language: 'en', until: start + 1, tokens };
}

const SITE = 'http://localhost:4173/';
const HELLO: Step[] = [{ type: 'start' }, text('Hello'), text(' there'), finish()];
/** The step at which an engine hangs. */
export const HANG: Promise<never> = new Promise(() => undefined);

/**
 * An engine that answers as the test says, and remembers what it was asked. It checks schemas and reads
 * images as the engine of text models does.
 */
export class TestEngine implements Engine<ApiOperation> {
  readonly runs: Run[] = [];
  readonly speeches: Run<SpeakJob>[] = [];
  readonly counts: Run<TokensJob>[] = [];
  readonly decisions: Run<DecideJob>[] = [];
  readonly embeddings: Run<EmbedJob>[] = [];
  readonly rankings: Run<RerankJob>[] = [];
  readonly transcriptions: Run<JobOf<'transcribe'>>[] = [];
  /** Operations on models: `load slashv1/tiny-chat`. */
  readonly managed: string[] = [];
  /** What has happened to models so far; each managing job adds to it. */
  readonly progress: Progress[] = [];
  /** Error of every operation on models; undefined: they succeed. */
  managingFails: Error | undefined;
  readonly #scripts: Step[][] = [];
  readonly #metrics = new Metrics();
  readonly #watchers = new Set<EventQueue<ProgressEvent>>();
  readonly files = new TestFiles();
  readonly servers = new TestServers();
  readonly #answers = new KeptAnswers(new Map(), () => undefined);
  readonly operations: Runs<ApiOperation> = {
    generate: (job, signal) => this.#generate(job, signal),
    speak: (job, signal) => this.#follow<'speak'>(job, signal, this.speeches, this.#speech),
    decide: (job, signal) => this.#decide(job, signal),
    embed: (job, signal) => this.#follow<'embed'>(job, signal, this.embeddings, embedded(job)),
    rerank: (job, signal) => this.#follow<'rerank'>(job, signal, this.rankings, ranked(job)),
    transcribe: (job, signal) =>
      this.#follow<'transcribe'>(job, signal, this.transcriptions, this.#heard),
    tokens: (job, signal) => this.#tokens(job, signal),
    memory: (job) => this.#one(this.#answers.answer(job)),
    ...this.files.runs,
    ...this.servers.runs,
    metrics: (job) => this.#one(this.#metrics.report(job)),
    load: (job) => this.#manage(job, ['load', 'ready']),
    unload: (job) => this.#manage(job, ['unloaded']),
    install: (job) => this.#manage(job, ['download', 'installed']),
    remove: (job) => this.#manage(job, []),
    states: () => this.#states(),
    watch: (_job, signal) => this.#watch(signal),
  };
  readonly #engine = engineOf(this.operations);
  /** Steps of every run that has none of its own. The images of the given job have been read. */
  stepsOf: (job: GenerateJob) => Step[] = () => HELLO;
  #speech: Step[] = [audio(1, 2), audio(3), spoken()];
  #heard: Step[] = [heard(0, ' Hello'), heard(1, ' there.'), { type: 'transcribed', seconds: 1.5 }];

  /** Every transcription hears this. */
  alwaysHear(...steps: Step[]): void {
    this.#heard = steps;
  }

  /** The next run follows these steps; the ones after it answer as usual again. */
  next(...steps: Step[]): void {
    this.#scripts.push(steps);
  }

  /** Every run without steps of its own follows these. */
  always(...steps: Step[]): void {
    this.stepsOf = () => steps;
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

  run<Op extends ApiOperation>(
    job: JobOf<Op>,
    signal: AbortSignal,
    take: Take<EventOf<Op>>,
  ): Promise<void> {
    return this.#engine.run(job, signal, take);
  }

  async *#generate(job: GenerateJob, signal: AbortSignal): AsyncGenerator<GenerateEvent> {
    checkSchemas(job);
    const shown = { ...job, prompt: await shownPrompt(job.prompt, SITE, signal) };
    const followed = this.#follow<'generate'>(shown, signal, this.runs, this.stepsOf(shown));
    const context: CountedJob<GenerateEvent> = { job, emit: () => undefined };
    const end = Promise.withResolvers<void>();
    this.#metrics.count(context, () => end.promise).catch(() => undefined);
    try {
      for await (const event of followed) {
        context.emit(event);
        yield event;
      }
      end.resolve();
    } catch (error) {
      end.reject(error);
      throw error;
    } finally {
      end.reject(new DOMException('The reader has left.', 'AbortError'));
    }
  }

  async *#one<E>(event: E): AsyncGenerator<E> {
    yield event;
  }

  async *#decide(job: DecideJob, signal: AbortSignal): AsyncGenerator<DecideEvent> {
    const shown = { ...job, prompt: await shownChat(job.prompt, SITE, signal) };
    yield* this.#follow<'decide'>(shown, signal, this.decisions, [decided(job)]);
  }

  async *#tokens(job: TokensJob, signal: AbortSignal): AsyncGenerator<TokensEvent> {
    const { of } = job;
    const shown = of.kind === 'tokens' ? of : await shownPrompt(of, SITE, signal);
    yield* this.#follow<'tokens'>({ ...job, of: shown }, signal, this.counts, [counted(job)]);
  }

  async *#states(): AsyncGenerator<ProgressEvent> {
    for (const progress of this.progress) yield { type: 'progress', progress };
  }

  async *#watch(signal: AbortSignal): AsyncGenerator<ProgressEvent> {
    yield* this.#states();
    const queue = new EventQueue<ProgressEvent>();
    this.#watchers.add(queue);
    signal.addEventListener('abort', () => queue.end(), { once: true });
    yield* queue;
  }

  #manage(
    job: JobOf<'load' | 'unload' | 'install' | 'remove'>,
    stages: ProgressStage[],
  ): AsyncIterable<never> {
    const { op, model } = job;
    return withoutEvents(async () => {
      const wanted = 'contextLength' in job ? [job.contextLength, job.kvCacheType] : [];
      this.managed.push([op, model, ...wanted].filter((part) => part !== undefined).join(' '));
      // An engine in another realm takes its time, too.
      await new Promise((resolve) => setTimeout(resolve));
      for (const stage of stages) this.#report(model, stage);
      if (this.managingFails) throw this.managingFails;
    });
  }

  #report(model: string, stage: ProgressStage): void {
    const progress = { model, stage, loadedBytes: 5, totalBytes: 10, text: `It is ${stage}.` };
    this.progress.push(progress);
    for (const watcher of this.#watchers) watcher.push({ type: 'progress', progress });
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
