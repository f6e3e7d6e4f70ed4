import { CatalogStore } from '../core/stores/catalog-store.ts';
import { databaseOpener } from '../core/stores/database.ts';
import type { Engine } from '../core/protocol/engine.ts';
import type { FromHost } from '../core/protocol/port-messages.ts';
import { toErrorData } from '../core/protocol/errors.ts';
import {
  PROTOCOL,
  type EngineConfig,
  type FromEngineWorker,
  type ToEngineWorker,
} from '../core/protocol/messages.ts';
import { holdWebLock } from '../core/protocol/web-lock.ts';
import { WeightStore } from '../core/stores/weight-store.ts';
import { Admin } from './admin.ts';
import { CacheShim } from './webllm/cache-shim.ts';
import { embeddedPacks } from './weights/embedded-packs.ts';
import { GpuDevices } from './webllm/gpu-devices.ts';
import { serveEngine } from './host.ts';
import { TextEngine } from './text/text-engine.ts';
import { defaultMemoryBudget, readMemoryFacts } from './scheduling/memory-budget.ts';
import { gpuDevice, type Device } from '../core/stores/device-fit.ts';
import { Installer } from './weights/installer.ts';
import { installGpuKernels } from './webllm/gpu-kernels.ts';
import { ModelMemory } from './scheduling/model-memory.ts';
import { ProgressBoard } from './scheduling/progress-board.ts';
import { retriable } from './retriable.ts';
import { Router } from './router.ts';
import { speechDevice } from './onnx/device.ts';
import { SpeechHost } from './onnx/speech/speech-host.ts';
import { SpeechWorker } from './onnx/speech/speech-worker.ts';
import { migrateCatalog } from './weights/migrate-catalog.ts';
import { tidyWeights } from './weights/tidy-weights.ts';
import { onnxVoices } from './onnx/speech/onnx-voices.ts';
import { mlcInstaller } from './webllm/mlc-installation.ts';
import { prebuiltModels } from './webllm/prebuilt-models.ts';
import { WebLlmBackend } from './webllm/webllm-backend.ts';
import { WebLlmModel } from './webllm/webllm-model.ts';
import { adoptOlderInstalls } from './weights/adopt-older-installs.ts';
import { onnxInstaller } from './onnx/installation.ts';

declare const self: DedicatedWorkerGlobalScope;

/** Milliseconds; the same default as Ollama's. */
const UNLOAD_AFTER_MS = 300_000;

/** Held while this worker lives. Its release tells everyone that the engine is gone. */
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
  // If the database was deleted, it is empty when it is opened again.
  const open = databaseOpener(new URL(config.base).pathname, () => void fill().catch(warn));
  const catalog = new CatalogStore(open);
  const weights = new WeightStore(open);
  const progress = new ProgressBoard();
  const fill = async () => {
    // The site's list is fetched while the database is read, and the lists do not depend on each other.
    const migrated = migrateCatalog(open);
    const [packs] = await Promise.all([
      fillWithPacks(catalog, config.base, migrated),
      migrated.then(() => fillFromHub(catalog)),
    ]);
    return packs;
  };
  const fillCatalog = retriable(async () => {
    const packs = await fill();
    await adoptOlderInstalls({ open, catalog, weights }).catch(warn);
    void tidyWeights(open).catch(warn);
    return packs;
  });
  // Each client that attaches waits for it, and is told of a failure.
  fillCatalog().catch(() => undefined);
  const shim = new CacheShim();
  shim.install(self);
  installGpuKernels();
  const devices = new GpuDevices();
  devices.watch(GPUAdapter.prototype);
  const { gpu } = navigator;
  const { base } = config;
  const engines = { webllm: mlcInstaller(config), onnx: onnxInstaller(config.hub) };
  const installer = new Installer({
    ...{ catalog, weights, progress, engines, base },
    device: () => readDevice(gpu),
  });
  const memory = modelMemory(config);
  const newModel = () => new WebLlmModel(devices);
  const backend = new WebLlmBackend({ newModel, shim, installer, gpu });
  const admin = new Admin({ installer, progress });
  const text = new TextEngine({ backend, installer, progress, memory, onBroken });
  const speech = new SpeechHost({
    ...{ installer, progress, memory },
    device: (model) => speechDevice(model, config.speechDevice, gpu),
    start: (device) => new SpeechWorker(config, device),
  });
  return {
    engine: new Router({ catalog, installer, memory, admin, text, speech }),
    fillCatalog,
  };
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

async function fillWithPacks(catalog: CatalogStore, base: string, migrated: Promise<void>) {
  const [packs] = await Promise.all([embeddedPacks(base), migrated]);
  if (packs) await catalog.replace('pack', packs);
  return packs;
}

async function fillFromHub(catalog: CatalogStore): Promise<void> {
  await catalog.replace('hub', [...prebuiltModels(), ...onnxVoices()]);
}

/** What this worker's GPU can run; empty if it does not tell. */
async function readDevice(gpu: GPU | undefined): Promise<Device> {
  const adapter = await gpu?.requestAdapter().catch(() => null);
  return adapter ? gpuDevice(adapter) : {};
}

function modelMemory(config: EngineConfig): ModelMemory {
  const { memoryBudget, unloadAfterMs = UNLOAD_AFTER_MS, standby = false } = config;
  const budget = async () => {
    const whole = memoryBudget ?? defaultMemoryBudget(await readMemoryFacts().catch(() => ({})));
    return standby ? whole / 2 : whole;
  };
  return new ModelMemory({ budget, unloadAfterMs });
}

/** Logs a failure that the engine can live with. */
function warn(error: unknown): void {
  console.warn('slashv1:', error);
}

/** Clients must learn of the failure first: the page ends this worker as soon as it hears of it. */
function onBroken(): void {
  setTimeout(() => tell({ type: 'slashv1:broken' }));
}

function tell(message: FromEngineWorker): void {
  self.postMessage(message);
}
