import { orAborted } from '../core/async/or-aborted.ts';
import { engineOf, withoutEvents, type Engine } from '../core/port/engine.ts';
import { modelNotFound } from '../core/errors/errors.ts';
import type { EventOf, KeptEvent, MeasuredEvent } from '../core/operations/events.ts';
import type { JobOf, Operation } from '../core/operations/jobs.ts';
import type { Task } from '../core/catalog/catalog-entry.ts';
import type { CatalogStore } from '../core/catalog/catalog-store.ts';
import type { Measurement } from '../core/fit/measurement.ts';
import type { AdminOperation } from './host/admin.ts';
import { measure, type MeasuredOperation } from './host/measure.ts';
import type { CountedEvent, Metrics } from './host/metrics.ts';
import type { HearingModelOperation } from './onnx/hearing/hearing-host.ts';
import type { RetrievalModelOperation } from './retrieval/retrieval-host.ts';
import type { SpeechModelOperation } from './onnx/speech/speech-host.ts';
import type { ModelMemory } from './scheduling/model-memory.ts';
import type { TextModelOperation } from './models/text-engine.ts';
import type { Installer } from './download/installer/installer.ts';

/** The models of some tasks. */
interface Models {
  /** Whether a model is in memory. */
  has(model: string): boolean;
}

interface Parts {
  catalog: Pick<CatalogStore, 'get'>;
  installer: Pick<Installer, 'remove'>;
  /** Keeps how fast a model is. */
  keepMeasurement: (model: string, measurement: Measurement) => Promise<void>;
  /** Forgets what went wrong with a model. */
  forget: (model: string) => Promise<void>;
  memory: Pick<ModelMemory, 'expect'>;
  answers: Engine<'memory'>;
  admin: Engine<AdminOperation>;
  metrics: Metrics;
  text: Engine<TextModelOperation>;
  speech: Engine<SpeechModelOperation> & Models;
  retrieval: Engine<RetrievalModelOperation> & Models;
  hearing: Engine<HearingModelOperation> & Models;
  builtIn: Engine<'built-in'>;
}

/** The workers of ONNX models answer the rest. */
export type RoutedOperation = Exclude<Operation, 'heap' | 'open'>;

/** All that this worker can do, as one engine: each job goes to the part that runs it. */
export class Router implements Engine<RoutedOperation> {
  readonly #parts: Parts;
  readonly #engine: Engine<RoutedOperation>;

  constructor(parts: Parts) {
    this.#parts = parts;
    const { admin, answers, builtIn, metrics, text, speech, retrieval, hearing } = parts;
    this.#engine = engineOf<RoutedOperation>({
      generate: (job, signal) => metrics.counted(job, text.run(job, signal)),
      speak: (job, signal) => this.#counted('speech', speech, job, () => speech.run(job, signal)),
      embed: (job, signal) =>
        this.#counted('embedding', retrieval, job, () => retrieval.run(job, signal)),
      rerank: (job, signal) =>
        this.#counted('rerank', retrieval, job, () => retrieval.run(job, signal)),
      transcribe: (job, signal) =>
        this.#counted('transcription', hearing, job, () => hearing.run(job, signal)),
      tokens: (job, signal) => text.run(job, signal),
      memory: (job, signal) => answers.run(job, signal),
      metrics: (job) => metrics.report(job),
      load: (job, signal) => this.#byTask(job, signal),
      unload: (job, signal) => this.#byTask(job, signal),
      keep: (job, signal) => this.#keep(job.model, signal),
      remove: (job, signal) => withoutEvents(() => this.#remove(job.model, signal)),
      install: (job, signal) => this.#install(job, signal),
      pause: (job, signal) => admin.run(job, signal),
      add: (job, signal) => admin.run(job, signal),
      list: (job, signal) => admin.run(job, signal),
      inspect: (job, signal) => admin.run(job, signal),
      search: (job, signal) => admin.run(job, signal),
      measure: (job, signal) => this.#measure(job.model, signal),
      device: (job, signal) => admin.run(job, signal),
      'built-in': (job, signal) => builtIn.run(job, signal),
      states: (job, signal) => admin.run(job, signal),
      watch: (job, signal) => admin.run(job, signal),
    });
  }

  run<Op extends RoutedOperation>(job: JobOf<Op>, signal: AbortSignal): AsyncIterable<EventOf<Op>> {
    return this.#engine.run(job, signal);
  }

  /** Runs a job that only models with one task can do, and counts it. */
  #counted<E extends CountedEvent>(
    task: Task,
    models: Models,
    job: { model: string },
    run: () => AsyncIterable<E>,
  ): AsyncIterable<E> {
    const { model } = job;
    // The part that has it knows what it does: the catalog need not be read.
    const running = models.has(model) ? run() : this.#of(task, model, run);
    return this.#parts.metrics.counted(job, running);
  }

  async *#of<E>(
    task: Task,
    model: string,
    run: () => AsyncIterable<E>,
  ): AsyncGenerator<E, void, undefined> {
    if ((await this.#taskOf(model)) !== task) {
      throw modelNotFound(model, `Its task is not '${task}'.`);
    }
    yield* run();
  }

  /** Loads it too if a page that starts asks for that. A load that ended its tab is not repeated. */
  async *#install(
    job: JobOf<'install'>,
    signal: AbortSignal,
  ): AsyncGenerator<never, void, undefined> {
    const { model, load = false, makeRoom = false, automatic = false } = job;
    const { admin, text } = this.#parts;
    const loading = { op: 'load', model, starting: true } as const;
    if (!load || makeRoom || automatic) yield* admin.run(job, signal);
    else if ((await this.#taskOf(model)) === 'chat') {
      yield* text.run({ ...loading, autoInstall: true }, signal);
    } else {
      yield* admin.run(job, signal);
      yield* this.#byTask(loading, signal);
    }
  }

  async *#byTask(
    job: JobOf<'load' | 'unload'>,
    signal: AbortSignal,
  ): AsyncGenerator<never, void, undefined> {
    const { hearing, retrieval, speech, text } = this.#parts;
    switch (await this.#taskOf(job.model)) {
      case 'speech':
        yield* speech.run(job, signal);
        break;
      case 'embedding':
      case 'rerank':
        yield* retrieval.run(job, signal);
        break;
      case 'transcription':
        yield* hearing.run(job, signal);
        break;
      default:
        yield* text.run(job, signal);
    }
  }

  async #remove(model: string, signal: AbortSignal): Promise<void> {
    for await (const _ of this.#byTask({ op: 'unload', model }, signal));
    await this.#parts.installer.remove(model);
    await this.#parts.forget(model);
  }

  async *#keep(model: string, signal: AbortSignal): AsyncGenerator<KeptEvent, void, undefined> {
    const release = this.#parts.memory.expect(model);
    try {
      yield* this.#byTask({ op: 'load', model, automatic: true }, signal);
      yield { type: 'kept' };
      await orAborted(new Promise<never>(() => undefined), signal);
    } finally {
      release();
    }
  }

  /** It is not counted as a request. */
  async *#measure(
    model: string,
    signal: AbortSignal,
  ): AsyncGenerator<MeasuredEvent, void, undefined> {
    const { catalog, text, speech, retrieval, keepMeasurement } = this.#parts;
    const entry = await catalog.get(model);
    if (!entry) throw modelNotFound(model, 'The catalog does not know it.');
    for await (const _ of this.#byTask({ op: 'load', model }, signal));
    const engine = engineOf<MeasuredOperation>({
      generate: (job, ending) => text.run(job, ending),
      tokens: (job, ending) => text.run(job, ending),
      speak: (job, ending) => speech.run(job, ending),
      embed: (job, ending) => retrieval.run(job, ending),
      rerank: (job, ending) => retrieval.run(job, ending),
    });
    const measurement = await measure(entry, engine, signal);
    await keepMeasurement(model, measurement);
    yield { type: 'measured', measurement };
  }

  /** Of a model that the catalog does not know, that of most models. */
  async #taskOf(model: string): Promise<Task> {
    return (await this.#parts.catalog.get(model))?.task ?? 'chat';
  }
}
