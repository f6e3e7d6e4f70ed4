import { expect, test } from 'vitest';
import { contextThatFits } from '../../../../src/core/fit/context-that-fits.ts';
import type { Device } from '../../../../src/core/fit/device-fit.ts';
import { memoryFor } from '../../../../src/core/files/gguf/memory-of-context.ts';
import { GGUF_MEMORY, ggufVariant, hubVariant } from '../../support/entries.ts';

const GGUF = ggufVariant('m', { memory: GGUF_MEMORY });

/** The context of a GGUF model that could have this many tokens. */
function fitting(contextLength: number, device: Device, variant = GGUF): number {
  return contextThatFits({ id: 'm', contextLength, task: 'chat' }, variant, device);
}

test('a model has its own context if there is room', () => {
  expect(fitting(2048, { memoryBudget: 1e9 })).toBe(2048);
  expect(fitting(2048, {})).toBe(2048);
  expect(fitting(2048, { memoryBudget: 1 }, ggufVariant('m'))).toBe(2048);
});

test('a context is cut to what fits into the memory budget, in steps of 256 tokens', () => {
  expect(fitting(2048, { memoryBudget: 1124e3 })).toBe(1024);
  expect(fitting(2048, { memoryBudget: 1124e3 - 1 })).toBe(768);
  expect(memoryFor(GGUF_MEMORY, 1024)).toBe(1124e3);
});

test('no context is longer than a page’s memory can hold, whatever the budget is', () => {
  const large = { ...GGUF, memory: { ...GGUF_MEMORY, tokenBytes: 2 ** 20 } };
  expect(fitting(8192, { memoryBudget: 1e12 }, large)).toBe(3840);
  const gpu = { gpu: 'hardware', hasF16: true } as const;
  expect(fitting(8192, { ...gpu, memoryBudget: 1e12 }, large)).toBe(8192);
  expect(fitting(8192, { ...gpu, memoryBudget: 2 ** 32 }, large)).toBe(3840);
});

test('a context is not cut below 512 tokens, or below the model’s own', () => {
  expect(fitting(2048, { memoryBudget: 1 })).toBe(512);
  expect(fitting(300, { memoryBudget: 1 })).toBe(300);
});

test('a context of more than 8,192 tokens takes at most a quarter of the memory', () => {
  // A token takes 1,000 bytes.
  expect(fitting(131_072, { memoryBudget: 100e6 })).toBe(97 * 256);
  expect(fitting(16_384, { memoryBudget: 100e6 })).toBe(16_384);
  expect(fitting(131_072, { memoryBudget: 20e6 })).toBe(8192);
  expect(fitting(131_072, {}, ggufVariant('m'))).toBe(8192);
});

test('a context has the length that the site wants, or a page, if the model and the memory allow it', () => {
  expect(fitting(131_072, { memoryBudget: 100e6, contextLength: 50_000 })).toBe(50_000);
  expect(fitting(4096, { contextLength: 50_000 })).toBe(4096);
  expect(fitting(131_072, { memoryBudget: 1124e3, contextLength: 50_000 })).toBe(1024);
  expect(fitting(131_072, { contextLength: 1000 })).toBe(1000);
  expect(fitting(131_072, { contextLength: 1 })).toBe(512);
  const model = { id: 'm', contextLength: 4096, task: 'chat', wantedContext: 600 } as const;
  expect(contextThatFits(model, GGUF, { contextLength: 1000 })).toBe(600);
  expect(contextThatFits({ ...model, wantedContext: 2000 }, GGUF, {})).toBe(2000);
});

test('WebLLM’s models keep the context that they were compiled for', () => {
  const model = { id: 'm', contextLength: 131_072 };
  expect(contextThatFits({ ...model, task: 'chat' }, hubVariant('m'), { memoryBudget: 1 })).toBe(
    131_072,
  );
});

test('after a crash a context is shorter than the one that crashed', () => {
  const record = {
    model: 'm',
    variant: GGUF.id,
    revision: 'r1',
    surroundings: 'here',
    crashes: 1,
    gpuFailures: 0,
    contextLimit: 1024,
  };
  expect(fitting(4096, { memoryBudget: 1e9, loads: [record] })).toBe(1024);
  expect(fitting(4096, { loads: [{ ...record, contextLimit: 100 }] })).toBe(512);
});
