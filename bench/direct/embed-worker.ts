/**
 * The other side of the section `embed`: transformers.js as its users call it, in a dedicated worker, with the
 * same graph and ONNX Runtime as our side. It contains no code of ours.
 */
import {
  AutoModel,
  AutoTokenizer,
  mean_pooling,
  Tensor,
  type PreTrainedModel,
  type PreTrainedTokenizer,
} from '@huggingface/transformers';
import * as v from 'valibot';
import type { DirectOnnxModel, FromEmbedWorker, ToEmbedWorker } from './embed-messages.ts';
import { servePack } from './serve-pack.ts';
import { messageOf } from '../../src/core/text/message-of.ts';

declare const self: DedicatedWorkerGlobalScope;

const inputsSchema = v.looseObject({ attention_mask: v.instance(Tensor) });
const outputsSchema = v.looseObject({ last_hidden_state: v.instance(Tensor) });

let embedder: { tokenizer: PreTrainedTokenizer; model: PreTrainedModel } | undefined;

/** Settles after the latest request. Requests are answered in their order. */
let latest: Promise<unknown> = Promise.resolve();

self.addEventListener('message', ({ data }: MessageEvent<ToEmbedWorker>) => {
  latest = latest
    .then(() => handle(data))
    .then(post, (error: unknown) => {
      post({ type: 'failed', message: messageOf(error) });
    });
});

async function handle(message: ToEmbedWorker): Promise<FromEmbedWorker> {
  if (message.type === 'load') {
    await load(message.model);
    return { type: 'loaded' };
  }
  if (!embedder) throw new Error('The embedder is not loaded.');
  const { tokenizer, model } = embedder;
  const inputs = v.parse(
    inputsSchema,
    tokenizer(message.texts, { padding: true, truncation: true }),
  );
  const { last_hidden_state: states } = v.parse(outputsSchema, await model(inputs));
  const pooled: unknown = mean_pooling(states, inputs.attention_mask).normalize(2, -1);
  const { data } = v.parse(v.object({ data: v.instance(Float32Array) }), pooled);
  return { type: 'embedded', values: new Float32Array(data) };
}

async function load(place: DirectOnnxModel): Promise<void> {
  const name = await servePack(place);
  const tokenizer = await AutoTokenizer.from_pretrained(name);
  const model = await AutoModel.from_pretrained(name, { device: 'wasm', dtype: 'fp32' });
  embedder = { tokenizer, model };
}

function post(message: FromEmbedWorker): void {
  self.postMessage(message);
}
