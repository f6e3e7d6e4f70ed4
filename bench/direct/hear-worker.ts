/**
 * The other side of the section `hear`: transformers.js as its users call it, in a dedicated worker, with the
 * same graphs and ONNX Runtime as our side. It contains no code of ours.
 */
import { pipeline } from '@huggingface/transformers';
import * as v from 'valibot';
import type { FromHearWorker, ToHearWorker } from './hear-messages.ts';
import { servePack } from './serve-pack.ts';
import { messageOf } from '../../src/core/text/message-of.ts';

declare const self: DedicatedWorkerGlobalScope;

/** Windows in which transformers.js reads long recordings: their length and their overlap, seconds. */
const WINDOWS = { chunk_length_s: 30, stride_length_s: 5 };

const heardSchema = v.looseObject({ text: v.string() });

let hear: ((samples: Float32Array, options: object) => Promise<unknown>) | undefined;

self.addEventListener('message', ({ data }: MessageEvent<ToHearWorker>) => {
  handle(data).then(post, (error: unknown) => {
    post({ type: 'failed', message: messageOf(error) });
  });
});

async function handle(message: ToHearWorker): Promise<FromHearWorker> {
  if (message.type === 'load') {
    const options = { device: 'wasm', dtype: 'fp32' } as const;
    const name = await servePack(message.model);
    hear = await pipeline('automatic-speech-recognition', name, options);
    return { type: 'loaded' };
  }
  if (!hear) throw new Error('The model is not loaded.');
  const options = { language: 'en', task: 'transcribe', return_timestamps: true, ...WINDOWS };
  return { type: 'heard', text: v.parse(heardSchema, await hear(message.samples, options)).text };
}

function post(message: FromHearWorker): void {
  self.postMessage(message);
}
