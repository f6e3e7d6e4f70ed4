import { expect, test, vi } from 'vitest';
import { OnnxGraph } from '../../../../src/engine/onnx/transformers/speech-graphs.ts';

const { computed } = vi.hoisted(() => ({ computed: new Float32Array(2) }));

/** The part of transformers.js that a graph needs. It computes what `computed` holds. */
vi.mock('@huggingface/transformers', () => {
  class Tensor {
    readonly data = computed;
  }
  const model = () => Promise.resolve({ duration: 1, output: new Tensor() });
  const classes = { PreTrainedModel: { from_pretrained: () => Promise.resolve(model) } };
  return {
    env: {},
    LogLevel: {},
    Tensor,
    ...classes,
    PreTrainedTokenizer: undefined,
    SpeechT5ForTextToSpeech: undefined,
    SpeechT5HifiGan: undefined,
    VitsModel: undefined,
    StyleTextToSpeech2Model: undefined,
    SupertonicForConditionalGeneration: undefined,
  };
});

const load = () => OnnxGraph.load('piper', () => Promise.resolve(undefined), 'fp32');

test('returns a copy of the output with one of the names', async () => {
  computed.set([0.5, -0.5]);
  const samples = await (await load()).run({}, ['waveform', 'output']);
  computed.set([0, 0]);
  expect(Array.from(samples)).toEqual([0.5, -0.5]);
  await expect((await load()).run({}, ['waveform'])).rejects.toThrow('no output named waveform');
});

test('non-finite values are an error', async () => {
  const graph = await load();
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY]) {
    computed.set([0.5, value]);
    await expect(graph.run({}, ['output'])).rejects.toThrow("non-finite values in 'output'");
  }
});
