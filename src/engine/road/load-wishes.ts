import type { CatalogEntry } from '../../core/catalog/catalog-entry.ts';
import type { Wanted } from '../../core/catalog/catalog-store.ts';
import { KV_CACHE_TYPES, type KvCacheType } from '../../core/realms/kv-cache-type.ts';
import { chooseVariant } from '../../core/fit/choose-variant.ts';
import type { Device } from '../../core/fit/device-fit.ts';
import { q8Obstacle, type Q8Obstacle } from '../../core/fit/kv-cache.ts';
import { invalidRequest } from '../../core/errors/errors.ts';
import type { JobOf } from '../../core/operations/jobs/jobs.ts';

/** What a load asks for that stays in the catalog. Pages and requests may send any values. */
type Wishes = Pick<JobOf<'load'>, 'contextLength' | 'kvCacheType'>;

/** The field of `POST v1/models/{id}/load`. */
const PARAM = 'kv_cache_type';

const Q8_REFUSALS: Record<Q8Obstacle, string> = {
  model: 'only GGUF models that write text have a KV cache whose type can be chosen',
  heads:
    'llama.cpp can store only heads of 32, 64, 96 … values so, and its header does not say that it has such ones',
  subgroups: 'the GPU lacks the feature "subgroups", without which llama.cpp cannot read it',
};

/**
 * What a load asks for, as the catalog keeps it; undefined: nothing.
 *
 * @param entry - of the model; undefined: the catalog does not know it, and the load will say so
 * @throws ApiError 400 if a value is wrong, or the model cannot have such a KV cache on this device
 */
export async function wantedBy(
  { contextLength, kvCacheType }: Wishes,
  entry: CatalogEntry | undefined,
  device: () => Promise<Device>,
): Promise<Wanted | undefined> {
  if (contextLength === undefined && kvCacheType === undefined) return undefined;
  if (contextLength !== undefined) requireLength(contextLength);
  if (kvCacheType !== undefined) requireType(kvCacheType);
  if (kvCacheType === 'q8_0' && entry) requireQ8(entry, await device());
  return {
    ...(contextLength !== undefined && { wantedContext: contextLength }),
    ...(kvCacheType && { wantedKvCacheType: kvCacheType }),
  };
}

function requireLength(contextLength: unknown): void {
  if (Number.isSafeInteger(contextLength) && Number(contextLength) > 0) return;
  throw invalidRequest('contextLength must be a whole number of tokens above 0.');
}

function requireType(type: string): asserts type is KvCacheType {
  if (KV_CACHE_TYPES.some((each) => each === type)) return;
  throw invalidRequest("The type of a KV cache is 'f16' or 'q8_0'.", PARAM);
}

function requireQ8(entry: CatalogEntry, device: Device): void {
  const obstacle = q8Obstacle(entry, chooseVariant(entry, device), device);
  if (!obstacle) return;
  const message = `${entry.id} cannot have a KV cache in q8_0: ${Q8_REFUSALS[obstacle]}.`;
  throw invalidRequest(message, PARAM);
}
