import type { Task } from '../../core/catalog/catalog-entry.ts';
import { closeConnection } from '../../core/database/engine-connection.ts';
import { databaseOpener } from '../../core/database/database.ts';
import { engineOf, withoutEvents, type Runs } from '../../core/port/engine.ts';
import {
  MP3_ENCODER,
  ONNX_BUILDS,
  ONNX_THREAD,
  VOICE_DETECTOR,
} from '../../core/site/onnx-files.ts';
import { WeightStore } from '../../core/weights/weight-store.ts';
import { siteFile, wasmFile } from '../workers/site-file.ts';
import { HearingEngine, type HearingOperation } from './hearing/hearing-engine.ts';
import { RetrievalEngine, type RetrievalOperation } from '../retrieval/retrieval-engine.ts';
import { enginePort } from '../workers/engine-port.ts';
import { serveJobs } from '../workers/serve-worker.ts';
import { openRetrieval } from './retrieval/open-retrieval.ts';
import { AudioFormats } from './speech/sound/audio-formats.ts';
import { SpeechEngine, type SpeechOperation } from './speech/speech-engine.ts';
import { VoiceDetector } from './hearing/voice-detector.ts';
import { VoiceGraph } from './transformers/voice-graph.ts';
import { startRuntime, heapBytes } from './start-runtime.ts';

type OnnxOperation = 'close' | 'heap' | SpeechOperation | RetrievalOperation | HearingOperation;

declare const self: DedicatedWorkerGlobalScope | SharedWorkerGlobalScope;

const receive = serveJobs<OnnxOperation>(
  'onnx',
  async ({ base, speechDevice: device = 'wasm', speechThreads: threads }) => {
    const at = (file: string) => new URL(file, base);
    const [wasm, threadScript] = [at(ONNX_BUILDS[device].wasm), at(ONNX_THREAD)];
    await startRuntime({ device, threads, wasm, threadScript });
    const database = databaseOpener(new URL(base).pathname);
    const weights = new WeightStore(database);
    const audioFormats = new AudioFormats(() => wasmFile(at(MP3_ENCODER)));
    const speech = new SpeechEngine({ weights, audioFormats });
    const retrieval = new RetrievalEngine({ weights, open: openRetrieval });
    const voice = new VoiceDetector(async () =>
      VoiceGraph.load(await siteFile(at(VOICE_DETECTOR))),
    );
    const hearing = new HearingEngine({ weights, voice });
    const engines: Partial<Record<Task, { runs: Runs<'open'> }>> = {
      speech,
      transcription: hearing,
    };
    return engineOf<OnnxOperation>({
      ...speech.runs,
      ...hearing.runs,
      ...retrieval.runs,
      open: (job, signal) => (engines[job.entry.task] ?? retrieval).runs.open(job, signal),
      close: () => withoutEvents(() => closeConnection(database)),
      async *heap() {
        yield { type: 'heap', bytes: heapBytes() };
      },
    });
  },
);

void enginePort(self).then((port) => {
  port.onmessage = receive;
});
