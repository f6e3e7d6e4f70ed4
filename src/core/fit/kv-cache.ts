import type { CatalogEntry } from '../catalog/catalog-entry.ts';
import type { LlamaCppVariant, Variant } from '../catalog/variant.ts';
import type { GgufMemory } from '../files/gguf/memory-of-context.ts';
import type { KvCacheType } from '../realms/kv-cache-type.ts';
import type { Device } from './device-fit.ts';
import { ggufDevice } from './gguf-device.ts';

type Model = Pick<CatalogEntry, 'id' | 'task' | 'wantedKvCacheType'>;

/**
 * Why a variant cannot have a KV cache in Q8_0 on a device.
 *
 * - `model`: only GGUF models that write text have a KV cache whose type can be chosen
 * - `heads`: llama.cpp cannot store this model's heads so
 * - `subgroups`: the GPU lacks this feature, without which llama.cpp cannot read such a cache there
 */
export type Q8Obstacle = 'model' | 'heads' | 'subgroups';

/** @returns undefined if the variant can have such a cache */
export function q8Obstacle(
  model: Pick<CatalogEntry, 'id' | 'task'>,
  variant: Variant,
  device: Device,
): Q8Obstacle | undefined {
  if (!hasKvCache(model, variant)) return 'model';
  if (variant.memory?.q8TokenBytes === undefined) return 'heads';
  const isOnGpu = ggufDevice(model, variant, device) === 'webgpu';
  return isOnGpu && !device.hasSubgroups ? 'subgroups' : undefined;
}

/** Type of the KV cache that a variant is loaded with; undefined: it has none whose type can be chosen. */
export function kvCacheTypeOf(
  model: Model,
  variant: Variant,
  device: Device,
): KvCacheType | undefined {
  if (!hasKvCache(model, variant)) return undefined;
  const wanted = model.wantedKvCacheType ?? device.kvCacheType;
  return wanted === 'q8_0' && !q8Obstacle(model, variant, device) ? 'q8_0' : 'f16';
}

/** Memory that a model takes with a KV cache of this type. */
export function withKvCache(memory: GgufMemory, type: KvCacheType | undefined): GgufMemory {
  const { tokenBytes, q8TokenBytes = tokenBytes } = memory;
  return type === 'q8_0' ? { ...memory, tokenBytes: q8TokenBytes } : memory;
}

function hasKvCache({ task }: Pick<Model, 'task'>, variant: Variant): variant is LlamaCppVariant {
  return variant.engine === 'llamacpp' && task === 'chat';
}
