import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import {
  env,
  GenerationConfig,
  PretrainedConfig,
  Tensor,
  WhisperFeatureExtractor,
  WhisperForConditionalGeneration,
} from '@huggingface/transformers';
import { beforeAll, expect, test, vi } from 'vitest';
import { readHearingConfig } from '../../../../../../src/core/files/hearing/hearing-config.ts';
import { Whisper } from '../../../../../../src/engine/onnx/hearing/recogniser/whisper.ts';
import type { WindowRequest } from '../../../../../../src/engine/onnx/hearing/recogniser/recogniser.ts';
import { configReader } from '../../../../../../src/engine/download/hub/read-configs.ts';
import { hubVariant, installation, packEntry } from '../../../../support/entries.ts';
import { NEVER } from '../../../../support/never.ts';

// Without ONNX Runtime, which is not installed for Node, transformers.js has no tensors.
await vi.hoisted(async () => {
  const runtime = await import('onnxruntime-common');
  Object.assign(globalThis, { [Symbol.for('onnxruntime')]: runtime });
});

const PACK = new URL('../../../../../../models/packs/tiny-hear/', import.meta.url);
const read = (path: string) => openAsBlob(new URL(basename(path), PACK)).catch(() => undefined);
const VOCABULARY = 1946;
/** Half of the decoder's context is for the text of a window. */
const MOST_TOKENS = 224;
const TEMPERATURES = 6;

/** How often the decoder has run. */
let runs = 0;
const stuck = () => 300;
/** The token that the decoder's n-th run of a window finds likeliest, from 1. */
let spoken: (run: number) => number = stuck;

/** tiny-hear's tokens and files, with a decoder that says what `spoken` tells. */
async function openScripted(): Promise<Whisper> {
  // The worker does so, too: files that the model lacks are not looked for elsewhere.
  env.fetch = () => Promise.resolve(new Response(null, { status: 404 }));
  const json = async (path: string) =>
    new PretrainedConfig(JSON.parse((await (await read(path))?.text()) ?? ''));
  const encoder = {
    inputNames: ['input_features'],
    run: () => ({ last_hidden_state: new Tensor('float32', new Float32Array(2), [1, 1, 2]) }),
  };
  const decoder = {
    inputNames: ['input_ids', 'encoder_hidden_states'],
    inputMetadata: [],
    outputNames: ['logits'],
    run: ({ input_ids: { dims } }: { input_ids: Tensor }) => {
      runs++;
      const length = dims[1] ?? 0;
      const logits = Float32Array.from({ length: VOCABULARY * length }, (_, at) =>
        at % VOCABULARY === spoken(runs) ? 50 : 0,
      );
      return { logits: new Tensor('float32', logits, [1, length, VOCABULARY]) };
    },
  };
  const model = new WhisperForConditionalGeneration(
    await json('config.json'),
    { model: encoder, decoder_model_merged: decoder },
    { generation_config: new GenerationConfig(await json('generation_config.json')) },
  );
  // The real feature extractor computes with ONNX Runtime.
  const features = new Tensor('float32', new Float32Array(2), [1, 1, 2]);
  vi.spyOn(WhisperFeatureExtractor.prototype, '_call').mockResolvedValue({
    input_features: features,
  });
  vi.spyOn(WhisperForConditionalGeneration, 'from_pretrained').mockResolvedValue(model);
  const config = await readHearingConfig(configReader(read));
  if (config.family !== 'whisper') throw new Error('tiny-hear is a Whisper model.');
  const entry = packEntry('a');
  const variant = hubVariant('a', { quantization: 'fp32' });
  const installed = { entry, variant, installation: installation('r1'), contextLength: 0 };
  return Whisper.open(config, installed, read);
}

let whisper: Whisper;
beforeAll(async () => (whisper = await openScripted()));

function hear(
  pace: Pick<WindowRequest, 'signal' | 'onStep'>,
  { seconds = 1, say = stuck }: { seconds?: number; say?: typeof spoken } = {},
) {
  runs = 0;
  spoken = say;
  return whisper.hear(new Float32Array(seconds * 16_000), {
    task: 'transcribe',
    language: 'en',
    earlier: '',
    temperature: 0,
    withWords: false,
    ...pace,
  });
}

test('a window that is tried again and again gives a sign of life with each token', async () => {
  let steps = 0;
  const heard = await hear({ signal: NEVER, onStep: () => Promise.resolve(void steps++) });
  expect(heard.temperature).toBe(1);
  expect(steps).toBe(runs);
  expect(steps).toBe(MOST_TOKENS * TEMPERATURES);
});

test.each([1, 3, MOST_TOKENS + 1])(
  'if it is aborted at token %d, at most one more is written',
  async (last) => {
    const controller = new AbortController();
    const onStep = async () => {
      if (runs === last) controller.abort(new Error('enough'));
    };
    await expect(hear({ signal: controller.signal, onStep })).rejects.toThrow('enough');
    expect(runs).toBeLessThanOrEqual(last + 1);
  },
);

test('the search for the language can be aborted, too', async () => {
  const controller = new AbortController();
  const onStep = async () => controller.abort(new Error('enough'));
  runs = 0;
  spoken = stuck;
  const heard = whisper.hear(new Float32Array(16_000), {
    task: 'transcribe',
    language: undefined,
    earlier: '',
    temperature: 0,
    withWords: false,
    signal: controller.signal,
    onStep,
  });
  await expect(heard).rejects.toThrow('enough');
  expect(runs).toBe(1);
});

const END = 435;
/** A time, as tiny-hear's token. */
const at = (seconds: number) => VOCABULARY - 1501 + Math.round(seconds / 0.02);

test.each([
  ['within its first second', 0.6, 20, 0.6],
  ['at once, before a word fits', 0.02, 20, 0.2],
  ['after its end', 0.3, 0.1, 0.1],
])(
  'if the last whole segment of a window ends %s, the next window begins there',
  async (_, end, seconds, consumed) => {
    const tokens = [at(0), 300, at(end), at(end), 301, 302];
    const say = (run: number) => tokens[run - 1] ?? END;
    const heard = await hear({ signal: NEVER, onStep: () => Promise.resolve() }, { seconds, say });
    expect(heard.segments).toHaveLength(1);
    expect(heard.consumed / 16_000).toBeCloseTo(consumed, 3);
  },
);
