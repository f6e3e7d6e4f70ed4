import { warn } from '../core/errors/warn.ts';
import { retriable } from '../core/async/retriable.ts';
import { isInstalled } from '../core/catalog/catalog-entry.ts';
import { CatalogStore } from '../core/catalog/catalog-store.ts';
import { databaseOpener } from '../core/database/database.ts';
import type { Engine } from '../core/port/engine.ts';
import type { FromHost } from '../core/port/port-messages.ts';
import { toErrorData } from '../core/errors/errors.ts';
import {
  PROTOCOL,
  type EngineConfig,
  type FromEngineWorker,
  type ToEngineWorker,
} from '../core/realms/messages.ts';
import { holdWebLock } from '../core/port/web-lock.ts';
import { WeightStore } from '../core/weights/weight-store.ts';
import { VERSION } from '../core/version.ts';
import { adminStages } from './host/admin.ts';
import { BuiltInHost } from './built-in/built-in-host.ts';
import { installerWithBuiltIn } from './built-in/installer-with-built-in.ts';
import { CacheShim } from './webllm/cache-shim.ts';
import { placesOf } from './download/transfer/places.ts';
import { quotaBytes } from './download/installer/storage-room.ts';
import { embeddedPacks } from './download/installer/embedded-packs.ts';
import { pdfReader } from './files/reading/pdf/pdf-reader.ts';
import { tendedFiles } from './files/tended-files.ts';
import { TendedPrompts } from './kept-prompts/tended-prompts.ts';
import { installedVersions } from './kept-prompts/version-of.ts';
import { GpuDevices } from './webllm/gpu/gpu-devices.ts';
import { prepareGpu } from './webllm/gpu/prepare-gpu.ts';
import { serveEngine } from '../core/port/engine-host.ts';
import { TextModels } from './models/text-models.ts';
import { isSlowToTell } from './device/gpu-adapter.ts';
import { ThisDevice } from './device/this-device.ts';
import { listModels } from './host/model-list.ts';
import { Installer } from './download/installer/installer.ts';
import { KeptAnswers } from './host/kept-answers.ts';
import { Metrics } from './host/metrics.ts';
import { McpServers } from './mcp/mcp-servers.ts';
import { loadClient } from './mcp/load-client.ts';
import { ModelMemory } from './scheduling/model-memory.ts';
import { pageWorkers } from './workers/page-worker.ts';
import { endAfterPages, isSharedWorker, pageScope } from './workers/worker-scope.ts';
import { ProgressBoard } from './scheduling/progress-board.ts';
import { CatalogFill } from './host/catalog-fill.ts';
import { engineOn, roadOf, type RoadOperation, type RoadServices } from './road/road.ts';
import { onnxDevice } from './onnx/device.ts';
import { onnxWorker } from './onnx/onnx-worker.ts';
import { startRetrieval } from './host/retrieval-worker.ts';
import { ENCODER_TIMEOUT_MS } from './onnx/hearing/in-windows.ts';
import { WorkerPool } from './workers/worker-pool.ts';
import type { SpeechOperation } from './onnx/speech/speech-engine.ts';
import type { HearingOperation } from './onnx/hearing/hearing-engine.ts';
import type { RetrievalOperation } from './retrieval/retrieval-engine.ts';
import { learnFacts } from './download/hub/learn-facts.ts';
import { searchHub } from './download/hub/search-hub.ts';
import { tidyWeights } from './download/installer/tidy-weights.ts';
import { onnxVoices } from './onnx/speech/voices/onnx-voices.ts';
import { loadLibrary } from './webllm/load-library.ts';
import { mlcInstaller } from './webllm/installation/mlc-installation.ts';
import { prebuiltModels } from './webllm/installation/prebuilt-models.ts';
import { WebLlmBackend } from './webllm/webllm-backend.ts';
import { WebLlmModel } from './webllm/webllm-model.ts';
import { onnxInstaller } from './onnx/installation.ts';
import { ggufInstaller } from './llamacpp/installation/gguf-installation.ts';
import { LlamaCppBackend } from './llamacpp/engine/llamacpp-backend.ts';
import { backendOfEach } from './host/text-backends.ts';

declare const self: DedicatedWorkerGlobalScope | SharedWorkerGlobalScope;

/** A model is unloaded after this long without a request, milliseconds; the default is the same as Ollama's. */
const UNLOAD_AFTER_MS = 300_000;

/** Name of the Web Lock that this worker holds while it lives. Its release tells everyone that the engine is gone. */
const lock = `slashv1:engine:${crypto.randomUUID()}`;
const locked = holdWebLock(lock);
/** The page that leads. */
const page = pageScope(self);
let configured: Promise<Host> | undefined;
/** Web Lock of a worker before this one, which hung. */
let hung: string | undefined;

interface Host {
  engine: Engine<RoadOperation>;
  here: ThisDevice;
  catalogFill: CatalogFill;
}

page.addEventListener('message', ({ data, ports }: MessageEvent<ToEngineWorker>) => {
  if (data.type === 'slashv1:configure') {
    hung = data.hung;
    // If it outlives its pages, the first one has decided.
    configured ??= setUp(data.config, data.kept);
    configured.catch(() => undefined);
    void locked.then(() => tell({ type: 'slashv1:alive', lock, version: VERSION }));
  } else if (data.type === 'slashv1:ping') tell({ type: 'slashv1:pong' });
  else if (data.type === 'slashv1:ended') void noteEnded(data.locks);
  else if (data.type === 'slashv1:end') self.close();
  else if (ports[0]) void attach(ports[0]);
});

async function setUp(
  config: EngineConfig,
  kept: ReadonlyMap<string, object> = new Map(),
): Promise<Host> {
  if (config.protocol !== PROTOCOL) {
    throw new Error('This tab is of another version of the site than its engine: reload it.');
  }
  if (isSharedWorker(self)) endAfterPages(self, config.base);
  // If the database was deleted, it is empty when it is opened again.
  const open = databaseOpener(new URL(config.base).pathname, () => catalogFill.again());
  const catalog = new CatalogStore(open);
  const weights = new WeightStore(open);
  const progress = new ProgressBoard();
  // TypeScript's types say that it always exists, but many browsers lack WebGPU.
  const gpu: GPU | undefined = navigator.gpu;
  const here = new ThisDevice({ open, config, lock, gpu });
  const catalogFill = new CatalogFill({
    installed: async () => {
      const entries = await catalog.list();
      return entries.flatMap((entry) => (isInstalled(entry) ? entry.id : []));
    },
    packs: () => fillWithPacks(catalog, config.base),
    rest: async () => {
      await Promise.all([
        catalog.replace('hub', [...prebuiltModels(), ...onnxVoices()]),
        here.publish(),
      ]);
      builtIn.refreshKnown().catch(warn);
    },
    tidy: () => tidyWeights(open).catch(warn),
  });
  // Each client that attaches awaits `begin` again, and gets its error.
  catalogFill.begin().catch(() => undefined);
  const shim = new CacheShim();
  shim.install(caches);
  const devices = new GpuDevices();
  if (gpu) prepareGpu(devices, isSlowToTell(navigator));
  const { base } = config;
  const { hub, libraries } = placesOf(config);
  const budget = () => here.memoryBudget();
  const engines = {
    webllm: mlcInstaller({ hub, libraries }),
    llamacpp: ggufInstaller({ hub, device: () => here.read() }),
    onnx: onnxInstaller(hub),
  };
  const { pathname: scope } = new URL(base);
  const keys = async () => (await open()).getAllKeys('keys');
  const prompts = new TendedPrompts({
    scope,
    keys,
    versions: async () => installedVersions(await catalog.list()),
    warn,
  });
  const installer = new Installer({
    catalog,
    weights,
    progress,
    engines,
    base,
    device: () => here.read(),
    onRemoved: (id) => prompts.removeModel(id),
  });
  const { unloadAfterMs = UNLOAD_AFTER_MS } = config;
  const memory = new ModelMemory({ budget, unloadAfterMs });
  const startWorker = pageWorkers(page);
  const library = retriable(() => loadLibrary(base));
  const newModel = async () => new WebLlmModel(await library(), devices);
  const backend = backendOfEach({
    webllm: new WebLlmBackend({ newModel, shim, installer, ...(gpu && { gpu }) }),
    llamacpp: new LlamaCppBackend(config, startWorker),
  });
  const device = () => here.readWithStorage();
  const exists = config.hasBuiltIn ?? false;
  const builtIn = new BuiltInHost({ base, exists, catalog, progress, startWorker });
  const managing = installerWithBuiltIn(installer, builtIn);
  const admin = adminStages({
    installer: managing,
    progress,
    report: () => here.report(),
    learn: (id, signal) =>
      learnFacts(id, { catalog, engines, hub, device: () => here.read() }, signal),
    search: (wanted, signal) => searchHub(hub, wanted, signal),
    list: async () => {
      await builtIn.refresh().catch(warn);
      return listModels({ catalog, weights, progress, device });
    },
  });
  // If WebLLM will write text here, its library is imported while the model is still being downloaded.
  void here
    .report()
    .then(async ({ gpu: kind, engine: first }) => {
      if (kind === 'hardware' && first === 'webllm') await library();
    })
    .catch(() => undefined);
  const { loads } = here;
  const text = new TextModels({ backend, installer, progress, memory, loads, onBroken });
  const speech = new WorkerPool<SpeechOperation>({
    installer,
    progress,
    memory,
    loads,
    device: (model) => onnxDevice(model, config.speechDevice, gpu),
    start: (on) => onnxWorker('speech', config, on, startWorker),
  });
  const retrieval = new WorkerPool<RetrievalOperation>({
    installer,
    progress,
    memory,
    loads,
    ...startRetrieval(config, gpu, startWorker),
  });
  const hearing = new WorkerPool<HearingOperation>({
    timeoutMs: ENCODER_TIMEOUT_MS,
    installer,
    progress,
    memory,
    loads,
    device: (model) => onnxDevice(model, config.speechDevice, gpu),
    start: (on) => onnxWorker('hearing', config, on, startWorker),
  });
  const answers = new KeptAnswers(kept, (key, value) => tell({ type: 'slashv1:keep', key, value }));
  const metrics = new Metrics();
  const forget = (model: string) => here.forget(model);
  const storedFiles: RoadServices['storedFiles'] = (engine, indexing) =>
    tendedFiles({
      scope,
      quota: quotaBytes,
      catalog,
      engine,
      indexing,
      readPdf: pdfReader(config, startWorker),
      idle: () => metrics.idle(),
      keys,
      warn,
    });
  const road = roadOf({
    site: base,
    catalog,
    device: () => here.read(),
    catalogFill,
    installer: managing,
    memory,
    answers,
    storedFiles,
    prompts,
    servers: new McpServers({ load: () => loadClient(base), scope: self }),
    forget,
    metrics,
    admin,
    text,
    speech,
    retrieval,
    hearing,
    builtIn,
    keepMeasurement: async (id, measured) =>
      catalog.learn(id, (await installer.variantOf(id)).id, { measured }),
  });
  return { engine: engineOn(road), here, catalogFill };
}

async function noteEnded(locks: readonly string[]): Promise<void> {
  // If the set-up has failed, `attach` reports the error to each client.
  const host = await configured?.catch(() => undefined);
  host?.here.loads.setEnded(locks);
}

async function attach(port: MessagePort): Promise<void> {
  try {
    const host = await configured;
    if (!host) throw new Error('The engine has not been configured.');
    const { engine, catalogFill } = host;
    await catalogFill.begin();
    serveEngine(port, engine, { hung });
  } catch (error) {
    const message: FromHost = { type: 'refused', error: toErrorData(error) };
    port.postMessage(message);
  }
}

async function fillWithPacks(catalog: CatalogStore, base: string) {
  const packs = await embeddedPacks(base);
  if (packs) await catalog.replace('pack', packs);
  return packs;
}

/** Tells the page that the engine is broken, after clients have got their errors: the page ends this worker at once. */
function onBroken(): void {
  setTimeout(() => tell({ type: 'slashv1:broken' }));
}

function tell(message: FromEngineWorker): void {
  page.postMessage(message);
}
