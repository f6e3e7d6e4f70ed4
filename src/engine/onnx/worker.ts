import { CatalogReader } from '../../core/catalog/catalog.ts';
import type { Task } from '../../core/catalog/catalog-entry.ts';
import { databaseOpener } from '../../core/database/database.ts';
import { engineOf, withoutEvents, type Engine } from '../../core/port/engine.ts';
import {
  MP3_ENCODER,
  ONNX_BUILDS,
  ONNX_THREAD,
  VOICE_DETECTOR,
} from '../../core/realms/onnx-files.ts';
import { WeightStore } from '../../core/weights/weight-store.ts';
import { fetchFile } from './fetch-file.ts';
import { heapBytes } from './heap.ts';
import { HearingEngine, type HearingOperation } from './hearing/hearing-engine.ts';
import { RetrievalEngine, type RetrievalOperation } from '../retrieval/retrieval-engine.ts';
import { enginePort } from '../workers/engine-port.ts';
import { serveJobs } from '../workers/serve-worker.ts';
import { openRetrieval } from './retrieval/open-retrieval.ts';
import { AudioFormats } from './speech/sound/audio-formats.ts';
import { SpeechEngine, type SpeechOperation } from './speech/speech-engine.ts';
import { VoiceDetector } from './hearing/voice-detector.ts';
import { VoiceGraph } from './transformers/voice-graph.ts';
import { startRuntime } from './start-runtime.ts';

type OnnxOperation = 'heap' | SpeechOperation | RetrievalOperation | HearingOperation;

declare const self: DedicatedWorkerGlobalScope;

const receive = serveJobs<OnnxOperation>(
  'onnx',
  async ({ base, speechDevice: device = 'wasm', speechThreads: threads }) => {
    const at = (file: string) => new URL(file, base);
    const [wasm, threadScript] = [at(ONNX_BUILDS[device].wasm), at(ONNX_THREAD)];
    await startRuntime({ device, threads, wasm, threadScript });
    const open = databaseOpener(new URL(base).pathname);
    const stores = { catalog: new CatalogReader(open), weights: new WeightStore(open) };
    const audioFormats = new AudioFormats(() => fetchFile(at(MP3_ENCODER)));
    const speech = new SpeechEngine({ ...stores, audioFormats });
    const retrieval = new RetrievalEngine({ ...stores, engine: 'onnx', open: openRetrieval });
    const voice = new VoiceDetector(async () =>
      VoiceGraph.load(await fetchFile(at(VOICE_DETECTOR))),
    );
    const hearing = new HearingEngine({ ...stores, voice });
    return engineOf<OnnxOperation>({
      speak: (job, signal) => speech.run(job, signal),
      embed: (job, signal) => retrieval.run(job, signal),
      rerank: (job, signal) => retrieval.run(job, signal),
      transcribe: (job, signal) => hearing.run(job, signal),
      load: (job, signal) =>
        withoutEvents(async () => {
          const task = (await stores.catalog.get(job.model))?.task;
          const engines: Partial<Record<Task, Engine<'load'>>> = { speech, transcription: hearing };
          const engine = (task && engines[task]) ?? retrieval;
          for await (const _ of engine.run(job, signal));
        }),
      async *heap() {
        yield { type: 'heap', bytes: heapBytes() };
      },
    });
  },
);

void enginePort(self).then((port) => {
  port.onmessage = receive;
});
