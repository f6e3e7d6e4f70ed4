import { CatalogReader } from '../../../core/stores/catalog.ts';
import { databaseOpener } from '../../../core/stores/database.ts';
import type { FromHost } from '../../../core/protocol/port-messages.ts';
import { serverError, toErrorData } from '../../../core/protocol/errors.ts';
import type { EngineConfig, ToEngineWorker } from '../../../core/protocol/messages.ts';
import { MP3_ENCODER, SPEECH_BUILDS, SPEECH_THREAD } from '../../../core/protocol/speech-files.ts';
import { holdWebLock } from '../../../core/protocol/web-lock.ts';
import { WeightStore } from '../../../core/stores/weight-store.ts';
import { serveEngine } from '../../host.ts';
import { AudioFiles } from './audio-files.ts';
import { setUpRuntime } from '../graph.ts';
import { SpeechEngine, type SpeechOperation } from './speech-engine.ts';
import { speechThreads } from '../threads.ts';

declare const self: DedicatedWorkerGlobalScope;

/** Held as long as this worker lives: its release tells the engine worker that it is gone. */
const lock = `slashv1:speech:${crypto.randomUUID()}`;
const configured = Promise.withResolvers<SpeechEngine>();

self.addEventListener('message', ({ data, ports }: MessageEvent<ToEngineWorker>) => {
  if (data.type === 'slashv1:configure') configured.resolve(setUp(data.config));
  else if (ports[0]) void attach(ports[0]);
});

async function setUp(config: EngineConfig): Promise<SpeechEngine> {
  const { base, speechDevice = 'wasm' } = config;
  const fetchPart = (file: string) => fetchFile(new URL(file, base));
  const runtime = SPEECH_BUILDS[speechDevice].wasm;
  const parts = Promise.all([fetchPart(runtime), threadsOf(config), holdWebLock(lock)]);
  const [wasm, threads] = await parts;
  setUpRuntime(wasm, speechDevice, threads);
  const open = databaseOpener(new URL(base).pathname);
  const stores = { catalog: new CatalogReader(open), weights: new WeightStore(open) };
  const audioFiles = new AudioFiles(() => fetchPart(MP3_ENCODER));
  return new SpeechEngine({ ...stores, audioFiles });
}

/** None of its own for what runs on the GPU, and for a site that lacks their script: one thread will do. */
async function threadsOf({ base, speechDevice, speechThreads: wanted }: EngineConfig) {
  const count = speechDevice === 'webgpu' ? 1 : speechThreads(wanted, self);
  if (count === 1) return undefined;
  const script = new URL(SPEECH_THREAD, base);
  return fetchFile(script).then(
    () => ({ count, script: script.href }),
    () => undefined,
  );
}

async function fetchFile(url: URL): Promise<ArrayBuffer> {
  const response = await fetch(url).catch(() => undefined);
  if (response?.ok) return response.arrayBuffer();
  const why = response ? `HTTP ${response.status}` : 'the network is down';
  throw serverError('engine_error', `${url.href}, which speech needs, is missing: ${why}.`);
}

async function attach(port: MessagePort): Promise<void> {
  try {
    serveEngine<SpeechOperation>(port, await configured.promise, { lock });
  } catch (error) {
    const message: FromHost = { type: 'refused', error: toErrorData(error) };
    port.postMessage(message);
  }
}
