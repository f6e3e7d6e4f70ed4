import { ADDRESSABLE_BYTES, type GgufMemory } from '../files/gguf/memory-of-context.ts';
import type { CatalogEntry } from '../catalog/catalog-entry.ts';
import type { Device } from './device-fit.ts';
import { leastContext, tokensThatFit } from './context-memory.ts';
import { ggufDevice } from './gguf-device.ts';
import { kvCacheTypeOf, withKvCache } from './kv-cache.ts';
import { recordOf } from './load-record.ts';
import type { Variant } from '../catalog/variant.ts';

/** A context of this length is tried however much of the memory it takes, tokens. */
const USUAL_CONTEXT = 8192;

/**
 * A longer context takes at most this part of the memory budget, unless somebody asks for it: its whole KV cache is
 * reserved when the model is loaded.
 */
const CONTEXT_SHARE = 1 / 4;

type Model = Pick<
  CatalogEntry,
  'id' | 'contextLength' | 'task' | 'wantedContext' | 'wantedKvCacheType'
>;

/**
 * Context length that a variant is loaded with, tokens. Chat models that llama.cpp runs get what was asked for, or else
 * what suits the device; less if no more fits into the memory budget or a longer context has ended the tab, and never more
 * than they were trained for. It is never cut below 512 tokens. All others get the model's own.
 */
export function contextThatFits(model: Model, variant: Variant, device: Device): number {
  const { id, contextLength, task, wantedContext } = model;
  if (variant.engine !== 'llamacpp' || task !== 'chat') return contextLength;
  const { memoryBudget = Infinity, loads } = device;
  const { contextLimit = Infinity } = recordOf(loads, id, variant) ?? {};
  // A GPU keeps weights and KV cache in memory of its own.
  const isOnCpu = ggufDevice(model, variant, device) === 'wasm';
  const bytes = isOnCpu ? Math.min(memoryBudget, ADDRESSABLE_BYTES) : memoryBudget;
  const memory =
    variant.memory && withKvCache(variant.memory, kvCacheTypeOf(model, variant, device));
  const fits = memory ? tokensThatFit(memory, bytes) : Infinity;
  const wanted = wantedContext ?? device.contextLength ?? usualContext(memory, bytes);
  const most = Math.min(contextLength, wanted, contextLimit, fits);
  return Math.max(leastContext(contextLength), Math.floor(most));
}

/** @param bytes - the memory budget */
function usualContext(memory: GgufMemory | undefined, bytes: number): number {
  if (!memory) return USUAL_CONTEXT;
  const { tokenBytes } = memory;
  const shared = tokensThatFit(
    { weightBytes: 0, bufferBytes: 0, tokenBytes },
    bytes * CONTEXT_SHARE,
  );
  return Math.max(USUAL_CONTEXT, shared);
}
