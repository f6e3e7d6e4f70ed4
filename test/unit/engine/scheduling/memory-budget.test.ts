import { expect, test } from 'vitest';
import type { CatalogEntry } from '../../../../src/core/stores/catalog-entry.ts';
import type { Speech } from '../../../../src/core/stores/speech.ts';
import {
  defaultMemoryBudget,
  memoryBytes,
} from '../../../../src/engine/scheduling/memory-budget.ts';
import { hubEntry, packEntry, variantOf } from '../../support/entries.ts';

const GIB = 2 ** 30;

test.each([
  [{ deviceMemory: 16, maxBufferSize: 2 * GIB }, 8],
  [{ deviceMemory: 2, maxBufferSize: 4 * GIB }, 1],
  [{ deviceMemory: 8 }, 4],
  [{ maxBufferSize: 2 * GIB }, 2],
  [{ maxBufferSize: GIB / 4 }, 1],
  [{ maxBufferSize: 64 * GIB }, 4],
  [{}, 1],
])('a device of %j has %d GiB for models', (facts, expected) => {
  expect(defaultMemoryBudget(facts)).toBe(expected * GIB);
});

test('a model takes what the catalog says, or in proportion to its files', () => {
  const files = [1000, 1000].map((size, index) => ({ path: `${index}`, size, url: 'u' }));
  const installation = { revision: 'r', files };
  const bytes = (entry: CatalogEntry) => memoryBytes({ variant: variantOf(entry), installation });
  const voices: Speech['voices'] = [{ id: 'v', name: 'V', languages: ['en-US'] }];
  const speech: Speech = { family: 'piper', sampleRate: 1, voices };
  expect(bytes(hubEntry('a', { needs: { memoryBytes: 123 } }))).toBe(123);
  expect(bytes(hubEntry('a'))).toBe(2600);
  expect(bytes(packEntry('a', 'r1', { gpuBytes: 0, speech }))).toBe(150_004_600);
});
