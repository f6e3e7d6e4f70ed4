import { ADDRESSABLE_BYTES } from '../files/gguf/memory-of-context.ts';
import type { CatalogEntry } from '../catalog/catalog-entry.ts';
import type { Device } from './device-fit.ts';
import { leastContext, tokensThatFit } from './context-memory.ts';
import { recordOf } from './load-record.ts';
import type { Variant } from '../catalog/variant.ts';

/**
 * The longest context that a model gets on a CPU, tokens. Addresses for its whole KV cache are reserved when the model
 * is loaded, and for each warm conversation once more; llama.cpp has 4 GB of them. And the smallest of our models,
 * SmolLM2 with 43 tokens a second, takes three minutes to read as much.
 */
const MOST_CONTEXT = 8192;

/**
 * The context that a variant is loaded with, tokens: the model's own, unless it chats, llama.cpp runs it and less
 * fits into the memory budget, or a longer one has ended the tab. It is never cut below 512 tokens.
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
