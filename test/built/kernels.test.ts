import { describe, expect, test, vi } from 'vitest';
import makeLlama from '../../models/llamacpp/built/llamacpp.js';
import makeThreads from '../../models/llamacpp/built/llamacpp-threads.js';
import { LlamaInNode } from '../../models/llamacpp/llama-in-node.ts';
import type { LlamaModuleFactory } from '../../models/llamacpp/module.ts';
import { seededRandom } from '../../scripts/seeded-random.ts';
import { FLOAT_FORMATS, QUANTISED_FORMATS } from '../support/gguf/quantised-blocks.ts';
import {
  REPACKED_ROWS,
  testedBlocks,
  tinyQuantised,
  VOCABULARY,
} from '../support/gguf/tiny-quantised.ts';

// Compiling llama.cpp takes seconds on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

/** Tokens of the prompts: one is multiplied by one-token.h, up to 8 by few-tokens.h, others two or three at once. */
const LENGTHS = [1, 7, 8, 33];
/** Sizes of batches whose tokens must have the bits that they have alone; from 16 on, attention has another kernel. */
const SIZES = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 15];
/**
 * The largest difference that counts as rounding, in units of a usual logit. The tokens lose nothing when the kernels
 * round them, so sums of 32-bit floats differ by about 1e-6. If such a difference moves a value of the KV cache, which
 * has 11 bits, to its next one, that moves logits by a few 1e-5.
 */
const TOLERANCE = 1e-4;

/** LC_MOST_OUTPUTS */
const MOST_OUTPUTS = 8;

const random = seededRandom(1);
const prompt = Array.from({ length: 33 }, () => Math.floor(random() * VOCABULARY));

const REPACKED_FORMATS = QUANTISED_FORMATS.filter(({ name }) =>
  ['Q4_0', 'Q4_1', 'Q8_0'].includes(name),
);

describe.each([
  ...[...QUANTISED_FORMATS, ...FLOAT_FORMATS].map((format) => ({ format, rows: undefined })),
  ...REPACKED_FORMATS.map((format) => ({ format, rows: REPACKED_ROWS })),
])('$format.name, rows: $rows', ({ format, rows }) => {
  const blocks = testedBlocks(format, rows);
  const expected = logits(tinyQuantised(format, blocks, 'floats'));

  test.each([
    ['llamacpp.js', makeLlama, 1],
    ['llamacpp-threads.js', makeThreads, 2],
  ])('in %s computes what its weights give as floats', async (_, make, threads) => {
    const actual = await logits(tinyQuantised(format, blocks, 'blocks'), make, threads);
    for (const difference of differences(actual, await expected)) {
      expect(difference).toBeLessThan(TOLERANCE);
    }
  });

  test.each([
    ['llamacpp.js', makeLlama, 1],
    ['llamacpp-threads.js', makeThreads, 2],
  ])('in %s gives each token of a batch the bits that it has alone', async (_, make, threads) => {
    const llama = await load(tinyQuantised(format, blocks, 'blocks'), make, threads);
    const expectedOf = logitsAlone(llama, threads);
    for (const size of SIZES) {
      const context = llama.newContext(64, 64, threads);
      for (let start = 0; start < prompt.length; start += size) {
        const batch = prompt.slice(start, start + size);
        const outputs = Math.min(batch.length, MOST_OUTPUTS);
        llama.decode(context, batch, start, outputs);
        for (let before = 0; before < outputs; before++) {
          const expectedHere = expectedOf[start + batch.length - 1 - before];
          expect(llama.logits(context, before)).toEqual(expectedHere);
        }
      }
      llama.module._lc_free_context(context);
    }
  });

  test.each([
    ['llamacpp.js', makeLlama, 1],
    ['llamacpp-threads.js', makeThreads, 2],
  ])(
    'in %s gives each token of four contexts the bits that it has alone',
    async (_, make, threads) => {
      const llama = await load(tinyQuantised(format, blocks, 'blocks'), make, threads);
      const expectedOf = logitsAlone(llama, threads);
      const members = [1, 2, 3, 4].map((position) => {
        const context = llama.newContext(64, 64, threads);
        llama.decode(context, prompt.slice(0, position), 0);
        return { context, position };
      });
      for (const size of [1, 3, MOST_OUTPUTS]) {
        const batches = members.map(({ context, position }) => ({
          context,
          position,
          tokens: prompt.slice(position, position + size),
        }));
        expect(llama.decodeTogether(batches)).toBe(0);
        for (const { context, position } of members) {
          for (let before = 0; before < size; before++) {
            const expectedHere = expectedOf[position + size - 1 - before];
            expect(llama.logits(context, before)).toEqual(expectedHere);
          }
        }
      }
    },
  );

  test('with one bit of one weight changed gives other logits, so that the test sees it', async () => {
    const changed = Uint8Array.from(blocks);
    const at = changed.length - format.bytes + format.firstWeight;
    changed[at] = (changed[at] ?? 0) ^ 8;
    const actual = await logits(tinyQuantised(format, changed, 'blocks'));
    for (const difference of differences(actual, await expected)) {
      expect(difference).toBeGreaterThan(TOLERANCE);
    }
  });
});

function load(file: Buffer, make: LlamaModuleFactory, threads: number): Promise<LlamaInNode> {
  const quiet = () => {};
  const options = { threads, print: quiet, printErr: quiet };
  return LlamaInNode.load({ '/model.gguf': file }, make, options);
}

/** The logits after each token of the prompt, where tokens are computed one by one. */
function logitsAlone(llama: LlamaInNode, threads: number): number[][] {
  const context = llama.newContext(64, 1, threads);
  return prompt.map((token, position) => {
    llama.decode(context, [token], position);
    return llama.logits(context);
  });
}

/** The logits after prompts of these lengths. */
async function logits(
  file: Buffer,
  make: LlamaModuleFactory = makeLlama,
  threads = 1,
): Promise<number[][]> {
  const llama = await load(file, make, threads);
  return LENGTHS.map((length) => {
    const context = llama.newContext(64, 64, threads);
    llama.decode(context, prompt.slice(0, length), 0);
    return llama.logits(context);
  });
}

/** The largest difference of the logits of each prompt, in units of their root mean square. */
function differences(actual: number[][], expected: number[][]): number[] {
  return actual.map((values, index) => {
    const others = expected[index] ?? [];
    const usual = Math.sqrt(others.reduce((sum, value) => sum + value ** 2, 0) / others.length);
    return Math.max(...values.map((value, at) => Math.abs(value - (others[at] ?? NaN)))) / usual;
  });
}
