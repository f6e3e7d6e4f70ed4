import { CatalogReader } from '../../../core/stores/catalog.ts';
import { databaseOpener } from '../../../core/stores/database.ts';
import { MP3_ENCODER, SPEECH_BUILDS, SPEECH_THREAD } from '../../../core/protocol/speech-files.ts';
import { WeightStore } from '../../../core/stores/weight-store.ts';
import { fetchFile } from '../fetch-file.ts';
import { serveWorker } from '../serve-worker.ts';
import { startRuntime } from '../start-runtime.ts';
import { AudioFormats } from './audio-formats.ts';
import { SpeechEngine, type SpeechOperation } from './speech-engine.ts';

serveWorker<SpeechOperation>(
  'speech',
  async ({ base, speechDevice: device = 'wasm', speechThreads: threads }) => {
    const at = (file: string) => new URL(file, base);
    const [wasm, threadScript] = [at(SPEECH_BUILDS[device].wasm), at(SPEECH_THREAD)];
    await startRuntime({ device, threads, wasm, threadScript });
    const open = databaseOpener(new URL(base).pathname);
    const stores = { catalog: new CatalogReader(open), weights: new WeightStore(open) };
    const audioFormats = new AudioFormats(() => fetchFile(at(MP3_ENCODER)));
    return new SpeechEngine({ ...stores, audioFormats });
  },
);
