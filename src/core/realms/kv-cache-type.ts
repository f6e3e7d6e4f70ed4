/**
 * How a KV cache stores numbers, as llama.cpp names it: `q8_0` in blocks of 32 with 8 bits each, `f16` in 16 bits, or in the
 * 32 bits of a model whose weights all have as many.
 */
export const KV_CACHE_TYPES = ['f16', 'q8_0'] as const;
export type KvCacheType = (typeof KV_CACHE_TYPES)[number];
