import { CatalogStore } from '../core/stores/catalog-store.ts';
import { databaseOpener } from '../core/stores/database.ts';
import type { Engine, FromHost } from '../core/protocol/engine.ts';
import { toErrorData } from '../core/protocol/errors.ts';
import {
  PROTOCOL,
  type EngineConfig,
  type FromEngineWorker,
  type ToEngineWorker,
} from '../core/protocol/messages.ts';
import { holdWebLock } from '../core/protocol/web-lock.ts';
import { WeightStore } from '../core/stores/weight-store.ts';
import { CacheShim } from './webllm/cache-shim.ts';
import { embeddedPacks } from './weights/embedded-packs.ts';
import { GpuDevices } from './webllm/gpu-devices.ts';
import { serveEngine } from './host.ts';
import { LocalEngine } from './text/text-engine.ts';
import { defaultMemoryBudget, readMemoryFacts } from './scheduling/memory-budget.ts';
import { gpuDevice, type Device } from '../core/stores/device-fit.ts';
import { Installer } from './weights/installer.ts';
import { installPipelines } from './webllm/gpu-kernels.ts';
import { ModelMemory } from './scheduling/model-memory.ts';
import { ProgressBoard } from './scheduling/progress-board.ts';
import { RoutedEngine } from './router.ts';
import { speechDevice } from './onnx/device.ts';
import { SpeechHost } from './onnx/speech/speech-host.ts';
import { SpeechWorker } from './onnx/speech/speech-worker.ts';
import { tidyWeights } from './weights/tidy-weights.ts';
import { onnxVoices } from './onnx/speech/onnx-voices.ts';
import { mlcInstaller } from './webllm/mlc-installation.ts';
import { prebuiltModels } from './webllm/prebuilt-models.ts';
import { WebLlm } from './webllm/webllm.ts';
import { adoptOlderInstalls } from './weights/adopt-older-installs.ts';
import { onnxInstaller } from './onnx/installation.ts';

declare const self: DedicatedWorkerGlobalScope;

/** As with Ollama, milliseconds. */
const UNLOAD_AFTER_MS = 300_000;

/** Held as long as this worker lives: its release tells everyone that the engine is gone. */
const lock = `slashv1:engine:${crypto.randomUUID()}`;
const configured = Promise.withResolvers<Engine>();

void holdWebLock(lock).then(() => tell({ type: 'slashv1:alive', lock }));

self.addEventListener('message', ({ data, ports }: MessageEvent<ToEngineWorker>) => {
  if (data.type === 'slashv1:configure') configured.resolve(setUp(data.config));
  else if (data.type === 'slashv1:ping') tell({ type: 'slashv1:pong' });
  else if (ports[0]) void attach(ports[0]);
});

async function setUp(config: EngineConfig): Promise<Engine> {
  if (config.protocol !== PROTOCOL) {
    throw new Error('This tab is of another version of the site than its engine: reload it.');
  }
  // Deleted, it is empty when it is opened again.
  const open = databaseOpener(new URL(config.base).pathname, () => void fill().catch(warn));
  const catalog = new CatalogStore(open);
  const weights = new WeightStore(open);
  const progress = new ProgressBoard();
  const fill = () => Promise.all([fillWithPacks(catalog, config.base), fillFromHub(catalog)]);
  const shim = new CacheShim();
  shim.install(self);
  installPipelines();
  const devices = new GpuDevices();
  devices.watch(GPUAdapter.prototype);
  // All of a start that is not WebLLM's: none of it waits for another.
  await fill();
  await adoptOlderInstalls({ open, catalog, weights }).catch(warn);
  void tidyWeights(open).catch(warn);
  const { gpu } = navigator;
  const { base } = config;
  const engines = { webllm: mlcInstaller(config), onnx: onnxInstaller(config.hub) };
  const library = new Installer({
    ...{ catalog, weights, progress, engines, base },
    device: () => readDevice(gpu),
  });
  const memory = modelMemory(config);
  const webllm = () => new WebLlm(devices);
  const chat = new LocalEngine({ webllm, shim, library, progress, gpu, memory, onBroken });
  const speech = new SpeechHost({
    ...{ library, progress, memory },
    device: (model) => speechDevice(model, config.speechDevice, gpu),
    start: (device) => new SpeechWorker(config, device),
  });
  return new RoutedEngine({ catalog, memory, chat, speech });
}

async function attach(port: MessagePort): Promise<void> {
  try {
    serveEngine(port, await configured.promise);
  } catch (error) {
    const message: FromHost = { type: 'refused', error: toErrorData(error) };
    port.postMessage(message);
  }
}

async function fillWithPacks(catalog: CatalogStore, base: string): Promise<void> {
  const packs = await embeddedPacks(base);
  if (packs) await catalog.replace('pack', packs);
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
