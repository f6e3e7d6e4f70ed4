import { CatalogReader } from '../../core/stores/catalog.ts';
import { databaseOpener } from '../../core/stores/database.ts';
import { engineOf, withoutEvents, type Engine } from '../../core/protocol/engine.ts';
import { MP3_ENCODER, ONNX_BUILDS, ONNX_THREAD } from '../../core/protocol/onnx-files.ts';
import { WeightStore } from '../../core/stores/weight-store.ts';
import { fetchFile } from './fetch-file.ts';
import { RetrievalEngine, type RetrievalOperation } from './retrieval/retrieval-engine.ts';
import { serveWorker } from './serve-worker.ts';
import { AudioFormats } from './speech/audio-formats.ts';
import { SpeechEngine, type SpeechOperation } from './speech/speech-engine.ts';
import { startRuntime } from './start-runtime.ts';

serveWorker<SpeechOperation | RetrievalOperation>(
  'onnx',
  async ({ base, speechDevice: device = 'wasm', speechThreads: threads }) => {
    const at = (file: string) => new URL(file, base);
    const [wasm, threadScript] = [at(ONNX_BUILDS[device].wasm), at(ONNX_THREAD)];
    await startRuntime({ device, threads, wasm, threadScript });
    const open = databaseOpener(new URL(base).pathname);
    const stores = { catalog: new CatalogReader(open), weights: new WeightStore(open) };
    const audioFormats = new AudioFormats(() => fetchFile(at(MP3_ENCODER)));
    const speech = new SpeechEngine({ ...stores, audioFormats });
    const retrieval = new RetrievalEngine(stores);
    return engineOf<SpeechOperation | RetrievalOperation>({
      speak: (job, signal) => speech.run(job, signal),
      embed: (job, signal) => retrieval.run(job, signal),
      rerank: (job, signal) => retrieval.run(job, signal),
      load: (job, signal) =>
        withoutEvents(async () => {
          const entry = await stores.catalog.get(job.model);
          const engine: Engine<'load'> = entry?.task === 'speech' ? speech : retrieval;
          for await (const _ of engine.run(job, signal));
        }),
    });
  },
);
