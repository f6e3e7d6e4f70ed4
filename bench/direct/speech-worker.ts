/**
 * The other side of the speech sections: kokoro-js as it is published, in a dedicated worker, with the same
 * graph, voice and ONNX Runtime as our side. It contains no code of ours.
 */
import { env, StyleTextToSpeech2Model, Tensor } from '@huggingface/transformers';
import { KokoroTTS, TextSplitterStream } from 'kokoro-js';
import * as v from 'valibot';
import type { DirectVoice, FromSpeechWorker, ToSpeechWorker } from './speech-messages.ts';
import { messageOf } from '../../src/core/text/message-of.ts';

declare const self: DedicatedWorkerGlobalScope;

/** kokoro-js always fetches its voices from here, so they are put into its cache under this URL. */
const VOICES = 'https://huggingface.co/onnx-community/Kokoro-82M-v1.0-ONNX/resolve/main/voices/';

const tokenizerSchema = v.object({
  model: v.object({ vocab: v.record(v.string(), v.number()) }),
});

let kokoro: KokoroTTS | undefined;
let options = { voice: '' };

self.addEventListener('message', ({ data }: MessageEvent<ToSpeechWorker>) => {
  handle(data).catch((error: unknown) => {
    post({ type: 'failed', message: messageOf(error) });
  });
});

async function handle(message: ToSpeechWorker): Promise<void> {
  if (message.type === 'load') {
    await load(message.voice);
    post({ type: 'loaded' });
    return;
  }
  if (!kokoro) throw new Error('kokoro-js is not loaded.');
  if (message.by === 'text') send(await kokoro.generate(message.text, options));
  else await speakSentences(kokoro, message.text);
  post({ type: 'spoken' });
}

async function load({ pack, voice, runtime }: DirectVoice): Promise<void> {
  options = { voice };
  const wasm = env.backends.onnx.wasm;
  if (!wasm) throw new Error('ONNX Runtime has no WebAssembly backend.');
  wasm.wasmBinary = await read(runtime);
  delete wasm.wasmPaths;
  wasm.numThreads = 1;
  env.allowRemoteModels = false;
  env.allowLocalModels = true;
  env.localModelPath = new URL('..', pack).href;
  const cache = await caches.open('kokoro-voices');
  await cache.put(`${VOICES}${voice}.bin`, new Response(await read(`${pack}voices/${voice}.bin`)));
  const name = new URL(pack).pathname.split('/').at(-2) ?? '';
  const model = await StyleTextToSpeech2Model.from_pretrained(name, {
    device: 'wasm',
    dtype: 'q8',
  });
  kokoro = new KokoroTTS(callable(model), await tokenizer(pack));
}

/** kokoro-js expects other names for the graph's inputs and outputs than the pack's graph has. */
function callable(model: StyleTextToSpeech2Model) {
  return async (inputs: Record<string, Tensor>) => {
    const outputs: unknown = await model({ ...inputs, tokens: inputs['input_ids'] });
    const { audio } = v.parse(v.object({ audio: v.instance(Tensor) }), outputs);
    return { waveform: audio };
  };
}

/** Does the same as the tokenizer on the hub. The pack contains only its vocabulary. */
async function tokenizer(pack: string) {
  const json: unknown = await (await fetch(`${pack}tokenizer.json`)).json();
  const { vocab } = v.parse(tokenizerSchema, json).model;
  return (phonemes: string) => {
    const ids = Array.from(phonemes).flatMap((phoneme) => vocab[phoneme] ?? []);
    const padded = BigInt64Array.from([0, ...ids.slice(0, 510), 0], BigInt);
    return { input_ids: new Tensor('int64', padded, [1, padded.length]) };
  };
}

async function speakSentences(tts: KokoroTTS, text: string): Promise<void> {
  const splitter = new TextSplitterStream();
  splitter.push(text);
  splitter.close();
  for await (const { audio } of tts.stream(splitter, options)) send(audio);
}

function send({
  audio,
  sampling_rate,
}: {
  audio: Float32Array<ArrayBuffer>;
  sampling_rate: number;
}) {
  const seconds = audio.length / sampling_rate;
  self.postMessage({ type: 'audio', samples: audio, seconds } satisfies FromSpeechWorker);
}

async function read(url: string): Promise<ArrayBuffer> {
  return (await fetch(url)).arrayBuffer();
}

function post(message: FromSpeechWorker): void {
  self.postMessage(message);
}
