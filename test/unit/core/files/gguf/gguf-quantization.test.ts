import { expect, test } from 'vitest';
import { readGgufHeader } from '../../../../../src/core/files/gguf/gguf-header.ts';
import {
  namedQuantization,
  quantizationOf,
  quantizationRank,
} from '../../../../../src/core/files/gguf/gguf-quantization.ts';
import { memoryRanges } from '../../../../support/gguf/memory-ranges.ts';
import { tensorOfType, tinyGguf } from '../../../../support/gguf/tiny-gguf.ts';

test.each([
  ['Qwen3-0.6B-Q4_K_M.gguf', 'Q4_K_M'],
  ['model.q4_k_m.gguf', 'Q4_K_M'],
  ['Qwen3-UD-Q4_K_XL.gguf', 'Q4_K_XL'],
  ['Q4_K_M/Qwen3-Q5_K_S-00001-of-00002.gguf', 'Q5_K_S'],
  ['Llama-IQ3_M.gguf', 'IQ3_M'],
  ['gpt-oss-20b-mxfp4.gguf', 'MXFP4'],
  ['gemma-3-1b-it-BF16.gguf', 'BF16'],
  ['ggml-model-f16.gguf', 'F16'],
  ['Q8_0.gguf', 'Q8_0'],
])('%s is named as %s', (path, quantization) => {
  expect(namedQuantization(path)).toBe(quantization);
});

test.each(['model.gguf', 'Q4_K_M/model.gguf', 'xQ4_0.gguf', 'Q4_00.gguf'])(
  '%s states no quantisation',
  (path) => expect(namedQuantization(path)).toBeUndefined(),
);

test('Q4_K_M comes first, unquantised files last, files of an unknown one between', () => {
  const order = ['Q4_K_M', 'Q4_0', 'Q5_K_M', 'Q8_0', 'Q3_K_M', 'Q2_K', 'other', 'F16', 'F32'];
  const shuffled = order.toReversed();
  expect(shuffled.toSorted((a, b) => quantizationRank(a) - quantizationRank(b))).toEqual(order);
});

test('the header’s own statement counts, else the type of most of the weights', async () => {
  const stated = (type: number | undefined) =>
    readGgufHeader(
      memoryRanges(
        tinyGguf({
          metadata: { 'general.file_type': type === undefined ? undefined : { u32: type } },
          tensors: [
            { ...tensorOfType(12, 'a'), shape: [4, 256] },
            { ...tensorOfType(0, 'b'), shape: [1, 4] },
          ],
        }),
      ),
    );
  expect(quantizationOf(await stated(15))).toBe('Q4_K_M');
  expect(quantizationOf(await stated(undefined))).toBe('Q4_K');
  expect(quantizationOf(await stated(1024))).toBe('Q4_K');
});
