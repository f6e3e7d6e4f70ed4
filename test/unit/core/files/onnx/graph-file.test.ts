import { expect, test } from 'vitest';
import { graphOf, graphsOf } from '../../../../../src/core/files/onnx/graph-file.ts';

/** Paths of a repository's graphs and of their other files, by the ends of their names. */
function paths(...ends: string[]): string[] {
  return ends.map((end) => `onnx/model${end}`);
}

const types = (all: string[]) => graphsOf(all).map(({ quantization }) => quantization);

test('the graph that is best on a CPU is taken, with its weights', () => {
  expect(graphOf(paths('.onnx', '_quantized.onnx', '_quantized.onnx_data'))).toEqual({
    path: 'onnx/model_quantized.onnx',
    quantization: 'q8',
    files: ['onnx/model_quantized.onnx', 'onnx/model_quantized.onnx_data'],
  });
  expect(graphOf(paths('.onnx', '_fp16.onnx'))).toMatchObject({ quantization: 'fp32' });
  expect(graphOf(['model.onnx', 'onnx/decoder.onnx'])).toBeUndefined();
});

test('a GPU has graphs of its own: of 16 bits, and of 32', () => {
  expect(graphsOf(paths('_quantized.onnx', '.onnx', '_fp16.onnx', '_fp16.onnx_data'))).toEqual([
    {
      path: 'onnx/model_fp16.onnx',
      quantization: 'fp16',
      files: ['onnx/model_fp16.onnx', 'onnx/model_fp16.onnx_data'],
    },
    { path: 'onnx/model.onnx', quantization: 'fp32', files: ['onnx/model.onnx'] },
    {
      path: 'onnx/model_quantized.onnx',
      quantization: 'q8',
      files: ['onnx/model_quantized.onnx'],
    },
  ]);
});

test.each<[string[], string[]]>([
  [['.onnx'], ['fp32']],
  [
    ['.onnx', '_uint8.onnx', '_int8.onnx'],
    ['fp32', 'int8'],
  ],
  [['_fp16.onnx'], ['fp16']],
  [['_q4f16.onnx'], []],
])('of %j there are %j', (ends, found) => {
  expect(types(paths(...ends))).toEqual(found);
});

test('the graphs of a model all have the same type', () => {
  const names = ['encoder_model', 'decoder_model_merged'];
  const all = ['onnx/encoder_model_fp16.onnx', ...names.map((name) => `onnx/${name}.onnx`)];
  expect(graphsOf(all, names)).toEqual([
    {
      path: 'onnx/encoder_model.onnx',
      quantization: 'fp32',
      files: names.map((name) => `onnx/${name}.onnx`),
    },
  ]);
});
