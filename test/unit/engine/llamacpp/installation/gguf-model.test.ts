import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ApiError } from '../../../../../src/core/errors/errors.ts';
import {
  inspectGguf,
  leastMemory,
} from '../../../../../src/engine/llamacpp/installation/gguf-model.ts';
import { memoryRanges } from '../../../../support/gguf/memory-ranges.ts';
import { splitTinyGguf, tinyGguf } from '../../../../support/gguf/tiny-gguf.ts';

const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_122);
const Q4_K = 12;
const CPU = { gpu: 'none' } as const;

/** A file that says that it has this many weights; only its header is there. */
function claiming(weights: number) {
  const matrix = { name: 'token_embd.weight', type: Q4_K, shape: [weights / 256, 256] };
  const bytes = tinyGguf({ tensors: [{ ...matrix, bytes: new Uint8Array() }] });
  const read = (offset: number, length: number) =>
    Buffer.concat([bytes, Buffer.alloc(length)]).subarray(offset, offset + length);
  return { ...memoryRanges(bytes), size: 1e12, read };
}

test('a model that 32-bit WebAssembly cannot address is refused with its size', async () => {
  await expect(inspectGguf([claiming(256 * 2 ** 25)], CPU)).rejects.toMatchObject({
    data: {
      status: 400,
      message: expect.stringMatching(
        /^model\.gguf needs 4\.\d GB of memory, but llama\.cpp can use only 4\.3 GB on the CPU\. There is no WebGPU here\. A smaller quantisation may fit\.$/,
      ),
    },
  });
  const model = await inspectGguf([claiming(256 * 2 ** 24)], CPU);
  expect(leastMemory(model)).toBeGreaterThan(144 * 2 ** 24);
});

test('a GPU runs it if it can bind its tensors', async () => {
  const gpu = { gpu: 'hardware', hasF16: true, bufferBytes: 2 ** 34 } as const;
  const model = await inspectGguf([claiming(256 * 2 ** 25)], gpu);
  expect(leastMemory(model)).toBeGreaterThan(2 ** 32);
  await expect(
    inspectGguf([claiming(256 * 2 ** 25)], { ...gpu, bufferBytes: 2 ** 31 }),
  ).rejects.toThrow(/only 4\.3 GB on the CPU\. The GPU binds 2147483648 bytes at most/);
});

test('the parts of a split model are one model', async () => {
  const parts = splitTinyGguf(3).map((bytes, index) => memoryRanges(bytes, `part ${index}`));
  const whole = await inspectGguf([memoryRanges(tinyGguf())], CPU);
  expect(await inspectGguf(parts, CPU)).toEqual(whole);
});

test('what a template shows of the model is among its features', async () => {
  const template = '{{ messages[0].content.split("</think>")[0] }}';
  const bytes = tinyGguf({ metadata: { 'tokenizer.chat_template': { string: template } } });
  expect((await inspectGguf([memoryRanges(bytes)], CPU)).features).toEqual([
    ...['reasoning', 'reasoning_always'],
  ]);
});

test('no file at all is refused', async () => {
  await expect(inspectGguf([], CPU)).rejects.toMatchObject({ data: { status: 400 } });
});

test('whatever bytes of a header are damaged, the model is described or refused with words', async () => {
  const good = tinyGguf();
  const headerBytes = good.length - 362_496;
  const damage = fc.array(fc.tuple(fc.nat({ max: headerBytes - 1 }), fc.nat({ max: 255 })), {
    minLength: 1,
    maxLength: 8,
  });
  await fc.assert(
    fc.asyncProperty(damage, async (changes) => {
      const bytes = Buffer.from(good);
      for (const [at, value] of changes) bytes[at] = value;
      const error: unknown = await inspectGguf([memoryRanges(bytes)], CPU).catch(
        (thrown: unknown) => thrown,
      );
      if (!(error instanceof Error)) return;
      expect(error).toBeInstanceOf(ApiError);
      expect(error).toMatchObject({ data: { status: 400, param: 'model' } });
    }),
    { seed: SEED, numRuns: 500 },
  );
});
