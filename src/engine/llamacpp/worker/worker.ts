import * as xgrammar from '@mlc-ai/web-xgrammar';
import createModule from '../../../../models/llamacpp/built/llamacpp.js';
import { LLAMACPP } from '../../../core/site/engine-files.ts';
import type { ToEngineWorker } from '../../../core/realms/messages.ts';
import { holdWebLock } from '../../../core/port/web-lock.ts';
import type { FromModelWorker, ToModelWorker } from '../messages.ts';
import { enginePort } from '../../workers/engine-port.ts';
import { decodeImage } from '../../images/decode-image.ts';
import { gpuOpener } from './gpu/open-gpu.ts';
import { ModelServer } from './model-server.ts';
import { openPrompts } from './kept/open-states.ts';
import { moduleOpener } from './open-module.ts';
import { newTurn } from '../../scheduling/turn.ts';
import { serveRetrieval } from './retrieval/serve-retrieval.ts';

declare const self: DedicatedWorkerGlobalScope | SharedWorkerGlobalScope;

// A script of another host runs in a worker whose own address is not the script's.
const at = (file: string) => new URL(file, import.meta.url);
const threaded = { script: at(LLAMACPP.threadScript), wasm: at(LLAMACPP.threadWasm) };
const onGpu = { script: at(LLAMACPP.gpuScript), wasm: at(LLAMACPP.gpuWasm) };
const openGpu = gpuOpener(onGpu, self.navigator, (blob) =>
  new FileReaderSync().readAsArrayBuffer(blob),
);
const openModule = moduleOpener(createModule, at(LLAMACPP.wasm), threaded, globalThis);

void enginePort(self).then((port) => {
  // Held while this worker lives. Its release tells the engine that this worker is gone.
  const lock = `slashv1:llamacpp:${crypto.randomUUID()}`;
  const alive: FromModelWorker = { type: 'alive', lock };
  void holdWebLock(lock).then(() => port.postMessage(alive));
  const server = new ModelServer({
    openModule,
    openGpu,
    xgrammar,
    decodeImage,
    openPrompts,
    turn: newTurn(),
    port,
  });
  const receiveJobs = serveRetrieval(openModule, openGpu);
  port.onmessage = ({ data, ports }: MessageEvent<ToModelWorker | ToEngineWorker>) => {
    if (isForJobs(data)) receiveJobs({ data, ports });
    else server.receive(data);
  };
});

/** A worker of an embedder gets the same messages as one with ONNX Runtime. */
function isForJobs(message: ToModelWorker | ToEngineWorker): message is ToEngineWorker {
  return message.type.startsWith('slashv1:');
}
