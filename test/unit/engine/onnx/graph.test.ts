import { expect, test, vi } from 'vitest';
import { OnnxGraph } from '../../../../src/engine/onnx/graph.ts';

const { computed } = vi.hoisted(() => ({ computed: new Float32Array(2) }));

/** transformers.js as far as one graph needs it, which computes whatever is in `computed`. */
vi.mock('@huggingface/transformers', () => {
  class Tensor {
    readonly data = computed;
  }
  const model = () => Promise.resolve({ duration: 1, output: new Tensor() });
  const classes = { PreTrainedModel: { from_pretrained: () => Promise.resolve(model) } };
  return {
    ...{ env: {}, LogLevel: {}, Tensor, ...classes, PreTrainedTokenizer: undefined },
    ...{ SpeechT5ForTextToSpeech: undefined, SpeechT5HifiGan: undefined, VitsModel: undefined },
    ...{ StyleTextToSpeech2Model: undefined, SupertonicForConditionalGeneration: undefined },
  };
});

const load = () => OnnxGraph.load('piper', () => Promise.resolve(undefined), 'fp32');

test('gives a copy of the output that has the name', async () => {
  computed.set([0.5, -0.5]);
  const samples = await (await load()).run({}, ['waveform', 'output']);
  computed.set([0, 0]);
  expect(Array.from(samples)).toEqual([0.5, -0.5]);
  await expect((await load()).run({}, ['waveform'])).rejects.toThrow('gives none of waveform');
});

test('what is no number is no sound', async () => {
  const graph = await load();
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY]) {
    computed.set([0.5, value]);
    await expect(graph.run({}, ['output'])).rejects.toThrow('It computed no sound.');
  }
});
