import { memoryFor } from '../../core/files/gguf/memory-of-context.ts';
import type { KvCacheType } from '../../core/realms/kv-cache-type.ts';
import { onnxBytes } from '../../core/fit/context-memory.ts';
import { withKvCache } from '../../core/fit/kv-cache.ts';
import { totalBytes, type Variant } from '../../core/catalog/variant.ts';
import type { InstalledModel } from '../download/installer/installed-model.ts';

/** What a device reveals about its memory. */
export interface MemoryFacts {
  /** Main memory, rounded down, GiB; undefined if the browser does not tell. */
  deviceMemory?: number | undefined;
  /** The largest buffer that the GPU allows, bytes; undefined if there is no GPU. */
  maxBufferSize?: number | undefined;
  /** A phone or a tablet. */
  isPhone?: boolean | undefined;
}

const GIB = 2 ** 30;
/** Phones kill pages that take more than this, however much memory they have, bytes. */
const MOST_ON_PHONES = GIB;
/** Limits for other devices whose memory is unknown, bytes: half of what computers usually have. */
const LEAST_WHERE_UNKNOWN = 2 * GIB;
const MOST_WHERE_UNKNOWN = 4 * GIB;

/**
 * Default budget for all models together, bytes. No browser tells how much memory a GPU has; most
 * can use half of the main memory, as their own or shared. If that is still too much, a load fails;
 * it then makes room and tries again.
 */
export function defaultMemoryBudget({
  deviceMemory,
  maxBufferSize = 0,
  isPhone = false,
}: MemoryFacts): number {
  const half =
    deviceMemory === undefined
      ? Math.min(Math.max(maxBufferSize, LEAST_WHERE_UNKNOWN), MOST_WHERE_UNKNOWN)
      : (deviceMemory * GIB) / 2;
  return isPhone ? Math.min(half, MOST_ON_PHONES) : half;
}

/** Memory of a text model ÷ bytes of its weights: leaves room for a KV cache of a few thousand tokens. */
const CHAT_FACTOR = 1.3;
/** Memory that a loaded model takes, bytes; an estimate if the catalog does not know it. */
export function memoryBytes({
  variant,
  installation,
  contextLength,
  kvCacheType,
}: Pick<InstalledModel, 'variant' | 'installation' | 'contextLength' | 'kvCacheType'>): number {
  return memoryOf(variant, totalBytes(installation.files), contextLength, kvCacheType) ?? 0;
}

/**
 * Memory that a variant takes when loaded, bytes, even if it is not installed yet; undefined: unknown.
 *
 * @param stored - bytes of its files; undefined: unknown
 */
export function memoryOf(
  variant: Variant,
  stored: number | undefined,
  contextLength: number,
  kvCacheType?: KvCacheType,
): number | undefined {
  if (variant.engine === 'llamacpp' && variant.memory) {
    return memoryFor(withKvCache(variant.memory, kvCacheType), contextLength);
  }
  const { memoryBytes: needed } = variant.needs;
  return needed ?? (stored === undefined ? undefined : Math.round(estimate(variant, stored)));
}

function estimate({ engine }: Variant, stored: number): number {
  switch (engine) {
    case 'webllm':
    case 'llamacpp':
      return stored * CHAT_FACTOR;
    case 'onnx':
      return onnxBytes(stored);
    case 'builtin':
      // The browser holds the model in its own memory, once for all sites.
      return 0;
  }
}
