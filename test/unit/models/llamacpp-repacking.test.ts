import { describe, expect, test } from 'vitest';
import makeThreaded from '../../../models/llamacpp/built/llamacpp-threads.js';
import makeSingle from '../../../models/llamacpp/built/llamacpp.js';
import { LlamaInNode } from '../../../models/llamacpp/llama-in-node.ts';
import { WEIGHT_ALIGNMENT } from '../../../src/core/files/gguf/gguf-support.ts';
import { tinyGguf } from '../../support/gguf/tiny-gguf.ts';

/** All matrices are in Q8_0 and have a multiple of 8 rows, and the output is the matrix of the tokens' vectors. */
const file = tinyGguf({ shape: { isQuantised: true, moreTokens: 5 } });
/** More than the header takes. */
const HEADER = Math.floor(file.length / 4);
const PROMPT = [1, 200, 33, 64, 7, 120, 90, 14, 2, 77, 101];

/** A model of whose file only the header is there, if not all of it. */
async function open(make = makeSingle, threads = 1, filled = HEADER) {
  const llama = await LlamaInNode.start(make, { threads });
  const { module } = llama;
  const pointer = module._malloc(file.length + WEIGHT_ALIGNMENT) >>> 0;
  const start = Math.ceil(pointer / WEIGHT_ALIGNMENT) * WEIGHT_ALIGNMENT;
  module.HEAPU8.set(file.subarray(0, filled), start);
  module.addFileInMemory('/model.gguf', start, file.length);
  llama.loadPaths(['/model.gguf']);
  const fill = () => module.HEAPU8.set(file.subarray(filled), start + filled);
  /** Whether the file's bytes are in another order than in the file. */
  const isRepacked = () => !file.equals(module.HEAPU8.subarray(start, start + file.length));
  return { llama, fill, isRepacked };
}

/** The logits after each token of the prompt, which are computed one by one in a new context. */
function logits(llama: LlamaInNode, threads: number): number[][] {
  const context = llama.newContext(64, 64, threads);
  return PROMPT.map((token, position) => {
    llama.decode(context, [token], position);
    return llama.logits(context);
  });
}

describe.each([
  ['llamacpp.js', makeSingle, 1],
  ['llamacpp-threads.js', makeThreaded, 2],
])('%s', (_, make, threads) => {
  test('looks tokens up where rows are repacked, and computes the same as before', async () => {
    const { llama, isRepacked } = await open(make, threads, file.length);
    const context = llama.newContext(64, 64, threads);
    // The vectors of tokens are looked up before the first product with the output.
    llama.decode(context, PROMPT, 0);
    const first = llama.logits(context);
    expect(isRepacked()).toBe(true);
    llama.decode(context, PROMPT, 0);
    expect(llama.logits(context)).toEqual(first);
    expect(logits(llama, threads).at(-1)).toEqual(first);
  });

  test('moves no bytes in a warm-up, when weights may be missing', async () => {
    const { llama, fill, isRepacked } = await open(make, threads);
    const context = llama.newContext(64, 64, threads);
    expect(llama.module._lc_warm_up(context, 1, 60_000)).toBe(0);
    fill();
    expect(isRepacked()).toBe(false);
    const whole = await open(make, threads, file.length);
    expect(logits(llama, threads)).toEqual(logits(whole.llama, threads));
    expect(isRepacked()).toBe(true);
  });

  test('has no numbers of a warm-up in the KV cache that would spoil a prompt', async () => {
    const prompt = [...PROMPT, ...PROMPT];
    const after = async (warmUp: number) => {
      const { llama, fill } = await open(make, threads, 2 * HEADER);
      const context = llama.newContext(64, 64, threads);
      if (warmUp > 0) expect(llama.module._lc_warm_up(context, warmUp, 60_000)).toBe(0);
      fill();
      llama.decode(context, prompt, 0);
      return llama.logits(context);
    };
    const expected = await after(0);
    expect(expected.every(Number.isFinite)).toBe(true);
    expect(await after(60)).toEqual(expected);
  });
});
