import { expect, test } from 'vitest';
import type { CatalogEntry } from '../../../../src/core/catalog/catalog-entry.ts';
import type { Speech } from '../../../../src/core/catalog/speech.ts';
import {
  defaultMemoryBudget,
  memoryBytes,
} from '../../../../src/engine/scheduling/memory-budget.ts';
import { GGUF_MEMORY, ggufVariant, hubEntry, packEntry, variantOf } from '../../support/entries.ts';

const GIB = 2 ** 30;

test.each([
  [{ deviceMemory: 16, maxBufferSize: 2 * GIB }, 8],
  [{ deviceMemory: 2, maxBufferSize: 4 * GIB }, 1],
  [{ deviceMemory: 8 }, 4],
  [{ maxBufferSize: 3 * GIB }, 3],
  [{ maxBufferSize: GIB / 4 }, 2],
  [{ maxBufferSize: 64 * GIB }, 4],
  [{}, 2],
  [{ deviceMemory: 8, isPhone: true }, 1],
  [{ deviceMemory: 1, isPhone: true }, 0.5],
  [{ maxBufferSize: 4 * GIB, isPhone: true }, 1],
  [{ isPhone: true }, 1],
])('a device of %j has %d GiB for models', (facts, expected) => {
  expect(defaultMemoryBudget(facts)).toBe(expected * GIB);
});

test('a model takes what the catalog says, or in proportion to its files', () => {
  const files = [1000, 1000].map((size, index) => ({ path: `${index}`, size, url: 'u' }));
  const installation = { revision: 'r', files };
  const bytes = (entry: CatalogEntry) =>
    memoryBytes({ variant: variantOf(entry), installation, contextLength: 1024 });
  const voices: Speech['voices'] = [{ id: 'v', name: 'V', languages: ['en-US'] }];
  const speech: Speech = { family: 'piper', sampleRate: 1, voices };
  expect(bytes(hubEntry('a', { needs: { memoryBytes: 123 } }))).toBe(123);
  expect(bytes(hubEntry('a'))).toBe(2600);
  expect(bytes(packEntry('a', 'r1', { gpuBytes: 0, speech }))).toBe(150_004_600);
  const variants = [ggufVariant('a', { memory: GGUF_MEMORY })];
  expect(bytes({ ...hubEntry('a'), variants })).toBe(1124e3);
});
