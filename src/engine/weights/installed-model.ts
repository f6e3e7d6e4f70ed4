import type { CatalogEntry } from '../../core/stores/catalog-entry.ts';
import type { Installation, Variant } from '../../core/stores/variant.ts';

/** A model that has all files of one variant in the weight store. */
export interface InstalledModel {
  entry: CatalogEntry;
  variant: Variant;
  installation: Installation;
}
