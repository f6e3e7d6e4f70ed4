import { CatalogStore } from '../core/catalog-store.ts';
import { databaseOpener } from '../core/database.ts';
import type { Engine, FromHost } from '../core/engine.ts';
import { toErrorData } from '../core/errors.ts';
import {
  PROTOCOL,
  type EngineConfig,
  type FromEngineWorker,
  type ToEngineWorker,
} from '../core/messages.ts';
import { holdWebLock } from '../core/web-lock.ts';
import { WeightStore } from '../core/weight-store.ts';
import { CacheShim } from './cache-shim.ts';
import { embeddedPacks } from './embedded-packs.ts';
import { GpuDevices } from './gpu-devices.ts';
import { serveEngine } from './host.ts';
import { LocalEngine } from './local-engine.ts';
import { defaultMemoryBudget, readMemoryFacts } from './memory-budget.ts';
import { ModelLibrary } from './model-library.ts';
import { installPipelines } from './model-pipelines.ts';
import { ModelMemory } from './model-memory.ts';
import { ProgressBoard } from './progress-board.ts';
import { retriable } from './retriable.ts';
import { RoutedEngine } from './routed-engine.ts';
import { speechDevice } from './speech/speech-device.ts';
import { SpeechHost } from './speech/speech-host.ts';
import { SpeechWorker } from './speech/speech-worker.ts';
import { tidyWeights } from './tidy-weights.ts';
import { onnxVoices } from './speech/onnx-voices.ts';
import { prebuiltModels, WebLlm } from './webllm.ts';

declare const self: DedicatedWorkerGlobalScope;

/** As with Ollama, milliseconds. */
const UNLOAD_AFTER_MS = 300_000;

/** Held as long as this worker lives: its release tells everyone that the engine is gone. */
const lock = `slashv1:engine:${crypto.randomUUID()}`;
const configured = Promise.withResolvers<Host>();

interface Host {
  engine: Engine;
  /** Fills the catalog; once the site has said what it offers, that is done. */
  fillCatalog: () => Promise<unknown>;
}

void holdWebLock(lock).then(() => tell({ type: 'slashv1:alive', lock }));

self.addEventListener('message', ({ data, ports }: MessageEvent<ToEngineWorker>) => {
  if (data.type === 'slashv1:configure') configured.resolve(setUp(data.config));
  else if (data.type === 'slashv1:ping') tell({ type: 'slashv1:pong' });
  else if (ports[0]) void attach(ports[0]);
});

async function setUp(config: EngineConfig): Promise<Host> {
  if (config.protocol !== PROTOCOL) {
    throw new Error('This tab is of another version of the site than its engine: reload it.');
  }
  // Deleted, it is empty when it is opened again.
  const open = databaseOpener(new URL(config.base).pathname, () => void fill().catch(warn));
  const catalog = new CatalogStore(open);
  const weights = new WeightStore(open);
  const progress = new ProgressBoard();
  const fill = async () => {
    // All of a start that is not WebLLM's: neither waits for the other.
    const [packs] = await Promise.all([fillWithPacks(catalog, config.base), fillFromHub(catalog)]);
    return packs;
  };
  const fillCatalog = retriable(async () => {
    const packs = await fill();
    void tidyWeights(open).catch(warn);
    return packs;
  });
  // Whoever attaches waits for it, and hears of a failure.
  fillCatalog().catch(() => undefined);
  const shim = new CacheShim();
  shim.install(self);
  installPipelines();
  const devices = new GpuDevices();
  devices.watch(GPUAdapter.prototype);
  const { gpu } = navigator;
  const { base } = config;
  const library = new ModelLibrary({ catalog, weights, progress, hub: config, base });
  const memory = modelMemory(config);
  const webllm = () => new WebLlm(devices);
  const chat = new LocalEngine({ webllm, shim, library, progress, gpu, memory, onBroken });
  const speech = new SpeechHost({
    ...{ library, progress, memory },
    device: (entry) => speechDevice(entry, config.speechDevice, gpu),
    start: (device) => new SpeechWorker(config, device),
  });
  return { engine: new RoutedEngine({ catalog, memory, chat, speech }), fillCatalog };
}

async function attach(port: MessagePort): Promise<void> {
  try {
    const { engine, fillCatalog } = await configured.promise;
    await fillCatalog();
    serveEngine(port, engine);
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

async function fillFromHub(catalog: CatalogStore): Promise<void> {
  await catalog.replace('hub', prebuiltModels());
  await catalog.replace('onnx', onnxVoices());
}

function modelMemory(config: EngineConfig): ModelMemory {
  const { memoryBudget, unloadAfterMs = UNLOAD_AFTER_MS, standby = false } = config;
  const budget = async () => {
    const whole = memoryBudget ?? defaultMemoryBudget(await readMemoryFacts().catch(() => ({})));
    return standby ? whole / 2 : whole;
  };
  return new ModelMemory({ budget, unloadAfterMs });
}

/** What the engine can do without is still worth a line. */
function warn(error: unknown): void {
  console.warn('slashv1:', error);
}

/** The clients are told first what failed: this worker ends as soon as the page hears of it. */
function onBroken(): void {
  setTimeout(() => tell({ type: 'slashv1:broken' }));
}

function tell(message: FromEngineWorker): void {
  self.postMessage(message);
}
