import { describe, expect, test } from 'vitest';
import type { CatalogEntry } from '../../../../src/core/catalog/catalog-entry.ts';
import { contextThatFits } from '../../../../src/core/fit/context-that-fits.ts';
import type { Device } from '../../../../src/core/fit/device-fit.ts';
import { kvCacheTypeOf, q8Obstacle, withKvCache } from '../../../../src/core/fit/kv-cache.ts';
import {
  GGUF_MEMORY,
  ggufVariant,
  hubEntry,
  hubVariant,
  packEntry,
} from '../../support/entries.ts';

const MEMORY = { ...GGUF_MEMORY, q8TokenBytes: 500 };
const GGUF = ggufVariant('m', { memory: MEMORY });
const MODEL = { id: 'm', task: 'chat', contextLength: 131_072 } as const;
const WANTED = { ...MODEL, wantedKvCacheType: 'q8_0' } as const;
const Q8_SITE: Device = { kvCacheType: 'q8_0' };
const GPU: Device = { gpu: 'hardware', hasF16: true, hasSubgroups: true };

describe('the type of a KV cache', () => {
  test('is f16 unless the site or a page wants another one', () => {
    expect(kvCacheTypeOf(MODEL, GGUF, {})).toBe('f16');
    expect(kvCacheTypeOf(MODEL, GGUF, Q8_SITE)).toBe('q8_0');
    expect(kvCacheTypeOf(WANTED, GGUF, {})).toBe('q8_0');
    expect(kvCacheTypeOf({ ...MODEL, wantedKvCacheType: 'f16' }, GGUF, Q8_SITE)).toBe('f16');
  });

  test('stays f16 if the model cannot have the one that is wanted', () => {
    const without = ggufVariant('m', { memory: GGUF_MEMORY });
    expect(kvCacheTypeOf(WANTED, without, Q8_SITE)).toBe('f16');
    expect(q8Obstacle(MODEL, without, {})).toBe('heads');
    expect(q8Obstacle(MODEL, ggufVariant('m'), {})).toBe('heads');
  });

  test('is q8_0 on a GPU only if it has subgroups', () => {
    expect(kvCacheTypeOf(WANTED, GGUF, GPU)).toBe('q8_0');
    for (const lacking of [
      { ...GPU, hasSubgroups: false },
      { gpu: 'hardware', hasF16: true },
    ]) {
      expect(q8Obstacle(MODEL, GGUF, lacking as Device)).toBe('subgroups');
      expect(kvCacheTypeOf(WANTED, GGUF, lacking as Device)).toBe('f16');
      expect(q8Obstacle(MODEL, GGUF, { ...(lacking as Device), llamacppDevice: 'wasm' })).toBe(
        undefined,
      );
    }
  });

  test('is unknown for models of other engines, and for those that write no text', () => {
    const entries: [CatalogEntry, typeof GGUF | ReturnType<typeof hubVariant>][] = [
      [hubEntry('m'), hubVariant('m')],
      [{ ...packEntry('e'), task: 'embedding', embedding: { length: 2 } }, GGUF],
    ];
    for (const [entry, variant] of entries) {
      expect(kvCacheTypeOf(entry, variant, Q8_SITE)).toBeUndefined();
      expect(q8Obstacle(entry, variant, Q8_SITE)).toBe('model');
    }
  });
});

test('a KV cache in q8_0 has room for twice the context in the same memory', () => {
  const asked = { memoryBudget: 1124e3, contextLength: 50_000 };
  expect(contextThatFits(MODEL, GGUF, asked)).toBe(1024);
  expect(contextThatFits(WANTED, GGUF, asked)).toBe(2048);
  // Without a length that is asked for, a quarter of the budget has room for twice as many.
  expect(contextThatFits(MODEL, GGUF, { memoryBudget: 100e6 })).toBe(97 * 256);
  expect(contextThatFits(WANTED, GGUF, { memoryBudget: 100e6 })).toBe(195 * 256);
});

test('the memory of a model is that with its KV cache', () => {
  expect(withKvCache(MEMORY, 'q8_0')).toEqual({ ...MEMORY, tokenBytes: 500 });
  expect(withKvCache(MEMORY, 'f16')).toEqual(MEMORY);
  expect(withKvCache(GGUF_MEMORY, 'q8_0')).toEqual(GGUF_MEMORY);
  expect(withKvCache(MEMORY, undefined)).toEqual(MEMORY);
});
