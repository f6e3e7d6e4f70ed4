import type { CatalogEntry } from '../../../core/catalog/catalog-entry.ts';
import type { ComputeDevice } from '../../../core/realms/device-report.ts';
import type { KvCacheType } from '../../../core/realms/kv-cache-type.ts';
import type { Installation, Variant } from '../../../core/catalog/variant.ts';

/** A model that has all files of one variant in the weight store. */
export interface InstalledModel {
  entry: CatalogEntry;
  variant: Variant;
  installation: Installation;
  /** The context length to load it with on this device, tokens: see `contextThatFits`. */
  contextLength: number;
  /** The KV cache to load it with: see `kvCacheTypeOf`; undefined: the model has none whose type can be chosen. */
  kvCacheType?: KvCacheType;
  /** What computes a GGUF model here: see `ggufDevice`; undefined: the CPU, or another engine decides. */
  runsOn?: ComputeDevice;
}
