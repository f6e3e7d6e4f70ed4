import { isInstalled, type CatalogEntry } from '../../../core/catalog/catalog-entry.ts';
import type { CatalogStore } from '../../../core/catalog/catalog-store.ts';
import type { Database } from '../../../core/database/database.ts';
import { missingFiles, storedBytes } from '../../../core/weights/installation-progress.ts';
import { offersRevision, type Installation } from '../../../core/catalog/variant.ts';
import {
  entryFromVersion2,
  planFromVersion2,
  type EntryOfVersion2,
} from '../../../core/database/version-2.ts';
import type { WeightReader } from '../../../core/weights/weight-reader.ts';

interface Stores {
  open: () => Promise<Database>;
  catalog: CatalogStore;
  weights: WeightReader;
}

/** What an older build has recorded of a model, and what this build knows of it. */
interface Found {
  old: EntryOfVersion2;
  /** A download that the older build began. */
  begun: Installation | undefined;
  current: CatalogEntry | undefined;
}

/**
 * Takes over what a tab of an older build installed, or began to download, since the upgrade copied
 * its catalog. Both builds keep files in the same stores, but the older one records in its own stores
 * which models they belong to. Records of models without files are ignored: those were removed.
 */
export async function adoptOlderInstalls(stores: Stores): Promise<void> {
  const { open } = stores;
  const downloads = new Set(await (await open()).getAllKeys('downloads'));
  for (const old of await (await open()).getAll('catalog')) {
    if (!old.installed && !downloads.has(old.id)) continue;
    const begun = await (await open()).get('downloads', old.id);
    const current = await stores.catalog.get(old.id);
    if (current && isInstalled(current)) continue;
    // A damaged record must not keep the others from being adopted.
    await adopt(stores, { old, begun, current }).catch(() => undefined);
  }
}

async function adopt({ catalog, weights }: Stores, { old, begun, current }: Found): Promise<void> {
  const { id, features = [] } = old;
  const entry = entryFromVersion2(old);
  for (const variant of entry.variants) {
    const { installed } = variant;
    if (installed && isWanted(current, variant.id, installed)) {
      const missing = await missingFiles(id, installed, weights);
      if (missing.length > 0) continue;
      await catalog.finish(entry, { variant: { ...variant, installed }, features });
      return;
    }
  }
  if (!begun || (await catalog.plan(id)) || (await storedBytes(id, begun, weights)) === 0) return;
  if (!current) await catalog.put(entry);
  await catalog.begin(id, planFromVersion2(entry, begun));
}

/** False if this build knows other files by the same name, such as a newer version of a pack. */
function isWanted(
  current: CatalogEntry | undefined,
  variantId: string,
  installed: Installation,
): boolean {
  if (!current) return true;
  const known = current.variants.find(({ id }) => id === variantId);
  return known !== undefined && offersRevision(known, installed.revision);
}
