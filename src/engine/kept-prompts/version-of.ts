import type { CatalogEntry } from '../../core/catalog/catalog-entry.ts';
import type { Installation, Variant } from '../../core/catalog/variant.ts';

/** What names a version of a model: it changes with any byte of its files. */
export function versionOf({ id }: Pick<Variant, 'id'>, { revision }: Installation): string {
  return `${id} ${revision}`;
}

/** The versions of all models that are installed. */
export function installedVersions(
  entries: readonly CatalogEntry[],
): [model: string, version: string][] {
  return entries.flatMap(({ id, variants }) =>
    variants.flatMap((variant): [string, string][] =>
      variant.installed ? [[id, versionOf(variant, variant.installed)]] : [],
    ),
  );
}
