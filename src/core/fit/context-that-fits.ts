import { ADDRESSABLE_BYTES } from '../files/gguf/memory-of-context.ts';
import type { CatalogEntry } from '../catalog/catalog-entry.ts';
import type { Device } from './device-fit.ts';
import { leastContext, tokensThatFit } from './context-memory.ts';
import { recordOf } from './load-record.ts';
import type { Variant } from '../catalog/variant.ts';

/**
 * The longest context that a model gets on a CPU, tokens. A load reserves addresses for the whole KV cache, each warm
 * conversation reserves as many again, and llama.cpp can address 4 GB. Even our smallest model, SmolLM2 with 43
 * tokens a second, takes three minutes to read this much.
 */
const MOST_CONTEXT = 8192;

/**
 * Context length that a variant is loaded with, tokens. Chat models that llama.cpp runs get at most `MOST_CONTEXT`, and
 * less if no more fits into the memory budget or a longer context has ended the tab. It is never cut below 512 tokens.
 * All others get the model's own.
 */
export function contextThatFits(
  { id, contextLength, task }: Pick<CatalogEntry, 'id' | 'contextLength' | 'task'>,
  variant: Variant,
  { memoryBudget = Infinity, loads }: Device,
): number {
  if (variant.engine !== 'llamacpp' || task !== 'chat') return contextLength;
  const { contextLimit = Infinity } = recordOf(loads, id, variant) ?? {};
  const bytes = Math.min(memoryBudget, ADDRESSABLE_BYTES);
  const fits = variant.memory ? tokensThatFit(variant.memory, bytes) : Infinity;
  const most = Math.min(contextLength, MOST_CONTEXT, contextLimit, fits);
  return Math.max(leastContext(contextLength), most);
}
