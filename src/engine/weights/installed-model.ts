import type { CatalogEntry, Installation } from '../../core/stores/catalog-entry.ts';

/** A model all of whose files are in the weight store. */
export interface InstalledModel {
  entry: CatalogEntry;
  installation: Installation;
}
