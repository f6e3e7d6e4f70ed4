import { orAborted } from '../../core/async/or-aborted.ts';
import { modelNotFound } from '../../core/errors/errors.ts';
import { unknownOperation, type Engine } from '../../core/port/engine.ts';
import type { JobOf, Operation } from '../../core/operations/jobs/jobs.ts';
import type { Task } from '../../core/catalog/catalog-entry.ts';
import type { CatalogStore } from '../../core/catalog/catalog-store.ts';
import type { Device } from '../../core/fit/device-fit.ts';
import type { Measurement } from '../../core/fit/measurement.ts';
import type { BuiltInHost } from '../built-in/built-in-host.ts';
import type { Installer } from '../download/installer/installer.ts';
import type { adminStages } from '../host/admin.ts';
import type { RetrievalEngine } from '../files/retrieval-models.ts';
import type { StoredFiles } from '../files/stored-files.ts';
import type { CatalogFill } from '../host/catalog-fill.ts';
import type { KeptAnswers } from '../host/kept-answers.ts';
import type { TendedPrompts } from '../kept-prompts/tended-prompts.ts';
import type { McpServers } from '../mcp/mcp-servers.ts';
import { measure } from '../host/measure.ts';
import type { Metrics } from '../host/metrics.ts';
import { showingImages } from '../images/showing-images.ts';
import type { TextModels } from '../models/text-models.ts';
import type { HearingOperation } from '../onnx/hearing/hearing-engine.ts';
import { inWindows } from '../onnx/hearing/in-windows.ts';
import type { SpeechOperation } from '../onnx/speech/speech-engine.ts';
import { embedInSlices, rerankInSlices } from '../retrieval/in-slices.ts';
import type { RetrievalOperation } from '../retrieval/retrieval-engine.ts';
import type { ModelMemory } from '../scheduling/model-memory.ts';
import type { WorkerPool } from '../workers/worker-pool.ts';
import { wantedBy } from './load-wishes.ts';
import { pass, type Context, type Stage } from './stage.ts';

/** What answers jobs about stored files. */
type StoredFilesAnswers = {
  [Part in 'files' | 'stores' | 'members']: Pick<StoredFiles[Part], 'answer'>;
} & { finder: Pick<StoredFiles['finder'], 'find'> };

export interface RoadServices {
  /** URL of the folder that `v1` is in. */
  site: string;
  catalog: Pick<CatalogStore, 'get' | 'want'>;
  device: () => Promise<Device>;
  catalogFill: Pick<CatalogFill, 'ready'>;
  installer: Pick<Installer, 'remove'>;
  /** Keeps how fast a model is. */
  keepMeasurement: (model: string, measurement: Measurement) => Promise<void>;
  /** Forgets what went wrong with a model. */
  forget: (model: string) => Promise<void>;
  memory: Pick<ModelMemory, 'expect'>;
  answers: KeptAnswers;
  /** @param indexing - its jobs do not count as requests */
  storedFiles: (engine: RetrievalEngine, indexing: RetrievalEngine) => StoredFilesAnswers;
  servers: Pick<McpServers, 'answer'>;
  prompts: Pick<TendedPrompts, 'answer'>;
  admin: ReturnType<typeof adminStages>;
  metrics: Metrics;
  builtIn: Pick<BuiltInHost, 'answer' | 'load' | 'unload' | 'facts'>;
  text: TextModels;
  speech: WorkerPool<SpeechOperation>;
  retrieval: WorkerPool<RetrievalOperation>;
  hearing: WorkerPool<HearingOperation>;
}

/** The operations that this worker handles. Workers of models handle `heap` and `open`, that of PDFs `read-pdf`. */
export type RoadOperation = Exclude<Operation, 'close' | 'heap' | 'open' | 'read-pdf'>;

/** The stages of each operation's jobs, in order. */
export type Road = { readonly [Op in RoadOperation]: readonly Stage<Context<Op>>[] };

/** Builds the stages of all operations that this worker handles. */
export function roadOf(parts: RoadServices): Road {
  const { catalog, text, speech, retrieval, hearing, builtIn, admin, memory } = parts;
  const { ready } = parts.catalogFill;
  const { count } = parts.metrics;
  const images = showingImages(parts.site);

  /** A model's task; for a model that the catalog does not know, `chat`, the task of most models. */
  const taskOf = async (model: string) => (await catalog.get(model))?.task ?? 'chat';
  /** Refuses a model of another task. For a model in memory, the catalog isn't read. */
  const has =
    (task: Task, loaded: { taskOf(model: string): Task | undefined }) =>
    async ({ job: { model } }: { job: { model: string } }, next: () => Promise<void>) => {
      if ((loaded.taskOf(model) ?? (await taskOf(model))) !== task) {
        throw modelNotFound(model, `Its task is not '${task}'.`);
      }
      await next();
    };

  const loading: Record<Task, readonly Stage<Context<'load'>>[]> = {
    chat: [builtIn.load, text.installed, text.turn, text.memory],
    speech: speech.loading,
    embedding: retrieval.loading,
    rerank: retrieval.loading,
    transcription: hearing.loading,
  };
  /** Loads a model. If another context length or KV cache is asked for, a model that is in memory is unloaded first. */
  const load = async (job: JobOf<'load'>, signal: AbortSignal) => {
    const { model } = job;
    const entry = await catalog.get(model);
    const task = entry?.task ?? 'chat';
    const wanted = await wantedBy(job, entry, parts.device);
    if (wanted && (await catalog.want(model, wanted))) await unloading[task].unload(model, signal);
    await pass(loading[task], { job, signal, emit: nothing });
  };
  const unloading: Record<Task, { unload(model: string, signal: AbortSignal): Promise<void> }> = {
    chat: text,
    speech,
    embedding: retrieval,
    rerank: retrieval,
    transcription: hearing,
  };
  const unload = async ({ job, signal }: Context<'unload'>) =>
    unloading[await taskOf(job.model)].unload(job.model, signal);

  /** Installs a model, and loads it too if a starting page asks for that. A load that ended its tab isn't repeated. */
  const install = async ({ job, signal }: Context<'install'>) => {
    const { model, load: isLoaded = false, makeRoom = false, automatic = false } = job;
    const starting = { op: 'load', model, starting: true } as const;
    if (!isLoaded || makeRoom || automatic) return admin.install({ job, signal });
    if ((await taskOf(model)) === 'chat') return load({ ...starting, autoInstall: true }, signal);
    await admin.install({ job, signal });
    await load(starting, signal);
  };

  const remove = async ({ job, signal }: Context<'remove'>) => {
    const { model } = job;
    const unloaded: Context<'unload'> = { job: { op: 'unload', model }, signal, emit: nothing };
    await pass([builtIn.unload, unload], unloaded);
    await parts.installer.remove(model);
    await parts.forget(model);
  };

  const keep = async ({ job: { model }, signal, emit }: Context<'keep'>) => {
    const release = memory.expect(model);
    try {
      await load({ op: 'load', model, automatic: true }, signal);
      emit({ type: 'kept' });
      await orAborted(new Promise<never>(() => undefined), signal);
    } finally {
      release();
    }
  };

  /** Measures a model's speed. The jobs for that don't count as requests. */
  const measured = async ({ job, signal, emit }: Context<'measure'>) => {
    const { model, withinMs } = job;
    const entry = await catalog.get(model);
    if (!entry) throw modelNotFound(model, 'The catalog does not know it.');
    await load({ op: 'load', model }, signal);
    const engine = engineOn({ ...road, ...uncounted });
    const measurement = await measure(entry, engine, signal, withinMs);
    // A quick one is too rough to choose variants by.
    if (withinMs === undefined) await parts.keepMeasurement(model, measurement);
    emit({ type: 'measured', measurement });
  };

  const uncounted = {
    generate: [
      builtIn.answer,
      images,
      text.checked,
      text.installed,
      text.turn,
      text.memory,
      text.answer,
    ],
    speak: [speech.installed, speech.turn, speech.retried, speech.memory, speech.answer],
    embed: [
      retrieval.installed,
      embedInSlices,
      retrieval.turn,
      retrieval.retried,
      retrieval.memory,
      retrieval.answer,
    ],
    rerank: [
      retrieval.installed,
      rerankInSlices,
      retrieval.turn,
      retrieval.retried,
      retrieval.memory,
      retrieval.answer,
    ],
    divide: [
      retrieval.installed,
      retrieval.turn,
      retrieval.retried,
      retrieval.memory,
      retrieval.answer,
    ],
  } satisfies Partial<Road>;

  const stored = parts.storedFiles(
    { run: (job, signal, emit) => engineOn(road).run(job, signal, emit) },
    { run: (job, signal, emit) => engineOn({ ...road, ...uncounted }).run(job, signal, emit) },
  );

  const road: Road = {
    generate: [ready, count, ...uncounted.generate],
    decide: [
      ready,
      count,
      images,
      text.inTurns,
      text.installed,
      text.turn,
      text.memory,
      text.decide,
    ],
    tokens: [ready, builtIn.answer, images, text.installed, text.turn, text.memory, text.tokens],
    speak: [ready, count, has('speech', speech), ...uncounted.speak],
    embed: [ready, count, has('embedding', retrieval), ...uncounted.embed],
    rerank: [ready, count, has('rerank', retrieval), ...uncounted.rerank],
    transcribe: [
      ready,
      count,
      has('transcription', hearing),
      hearing.installed,
      inWindows,
      hearing.turn,
      hearing.retried,
      hearing.memory,
      hearing.answer,
    ],
    memory: [ready, async ({ job, emit }) => emit(parts.answers.answer(job))],
    files: [ready, async ({ job, emit }) => emit(await stored.files.answer(job))],
    stores: [ready, async ({ job, emit }) => emit(await stored.stores.answer(job))],
    members: [ready, async ({ job, emit }) => emit(await stored.members.answer(job))],
    'find-chunks': [
      ready,
      async ({ job, signal, emit }) => emit(await stored.finder.find(job, signal)),
    ],
    prompts: [ready, async ({ job, emit }) => emit(await parts.prompts.answer(job))],
    mcp: [({ job, signal, emit }) => parts.servers.answer(job, signal, emit)],
    divide: [ready, has('embedding', retrieval), ...uncounted.divide],
    metrics: [ready, async ({ job, emit }) => emit(parts.metrics.report(job))],
    load: [ready, ({ job, signal }) => load(job, signal)],
    unload: [ready, builtIn.unload, unload],
    keep: [ready, keep],
    remove: [ready, remove],
    install: [ready, install],
    pause: [ready, admin.pause],
    add: [ready, admin.add],
    list: [ready, admin.list],
    inspect: [ready, admin.inspect],
    search: [ready, admin.search],
    measure: [ready, measured],
    device: [ready, admin.device],
    'built-in': [ready, builtIn.facts],
    states: [ready, admin.states],
    watch: [ready, admin.watch],
  };
  return road;
}

/** Runs each job through the stages of its operation. */
export function engineOn(road: Road): Engine<RoadOperation> {
  return {
    run: async (job, signal, emit) => {
      if (!Object.hasOwn(road, job.op)) throw unknownOperation(job.op);
      await pass(road[job.op], { job, signal, emit });
    },
  };
}

function nothing(): void {
  // The job reports no event.
}
