import { CatalogStore } from '../../core/catalog-store.ts';
import { databaseOpener } from '../../core/database.ts';
import type { FromHost } from '../../core/engine.ts';
import { serverError, toErrorData } from '../../core/errors.ts';
import type { EngineConfig, ToEngineWorker } from '../../core/messages.ts';
import { MP3_ENCODER, SPEECH_BUILDS } from '../../core/speech-files.ts';
import { holdWebLock } from '../../core/web-lock.ts';
import { WeightStore } from '../../core/weight-store.ts';
import { serveEngine } from '../host.ts';
import { AudioFiles } from './audio-files.ts';
import { setUpRuntime } from './onnx-graph.ts';
import { SpeechEngine } from './speech-engine.ts';

declare const self: DedicatedWorkerGlobalScope;

/** Held as long as this worker lives: its release tells the engine worker that it is gone. */
const lock = `slashv1:speech:${crypto.randomUUID()}`;
const configured = Promise.withResolvers<SpeechEngine>();

self.addEventListener('message', ({ data, ports }: MessageEvent<ToEngineWorker>) => {
  if (data.type === 'slashv1:configure') configured.resolve(setUp(data.config));
  else if (ports[0]) void attach(ports[0]);
});

async function setUp({ base, speechDevice = 'wasm' }: EngineConfig): Promise<SpeechEngine> {
  const fetchPart = (file: string) => fetchFile(new URL(file, base));
  const runtime = SPEECH_BUILDS[speechDevice].wasm;
  const [wasm] = await Promise.all([fetchPart(runtime), holdWebLock(lock)]);
  setUpRuntime(wasm, speechDevice);
  const open = databaseOpener(new URL(base).pathname);
  const stores = { catalog: new CatalogStore(open), weights: new WeightStore(open) };
  const audioFiles = new AudioFiles(() => fetchPart(MP3_ENCODER));
  return new SpeechEngine({ ...stores, audioFiles });
}

async function fetchFile(url: URL): Promise<ArrayBuffer> {
  const response = await fetch(url).catch(() => undefined);
  if (response?.ok) return response.arrayBuffer();
  const why = response ? `HTTP ${response.status}` : 'the network is down';
  throw serverError('engine_error', `${url.href}, which speech needs, is missing: ${why}.`);
}

async function attach(port: MessagePort): Promise<void> {
  try {
    serveEngine(port, await configured.promise, { lock });
  } catch (error) {
    const message: FromHost = { type: 'refused', error: toErrorData(error) };
    port.postMessage(message);
  }
}
