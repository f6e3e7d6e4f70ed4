import * as xgrammar from '@mlc-ai/web-xgrammar';
import createModule from '../../../models/llamacpp/built/llamacpp.js';
import { LLAMACPP } from '../../core/protocol/engine-files.ts';
import { holdWebLock } from '../../core/protocol/web-lock.ts';
import type { FromModelWorker, ToModelWorker } from './messages.ts';
import { enginePort } from '../engine-port.ts';
import { decodeImage } from '../images/decode-image.ts';
import { ModelServer } from './model-server.ts';
import { moduleOpener } from './open-module.ts';
import { newTurn } from '../turn.ts';

declare const self: DedicatedWorkerGlobalScope;

/** Held while this worker lives. Its release tells the engine that this worker is gone. */
const lock = `slashv1:llamacpp:${crypto.randomUUID()}`;

const at = (file: string) => new URL(file, self.location.href);
const threaded = { script: at(LLAMACPP.threadScript), wasm: at(LLAMACPP.threadWasm) };
const openModule = moduleOpener(createModule, at(LLAMACPP.wasm), threaded, globalThis);

void enginePort(self).then((port) => {
  const tell = (message: FromModelWorker) => port.postMessage(message);
  const server = new ModelServer({ openModule, xgrammar, decodeImage, turn: newTurn(), tell });
  void holdWebLock(lock).then(() => tell({ type: 'alive', lock }));
  port.onmessage = ({ data }: MessageEvent<ToModelWorker>) => server.receive(data);
});
