import type { CatalogEntry, Installation } from '../../../src/core/stores/catalog-entry.ts';

/** A catalog entry of a pack of this site. */
export function packEntry(
  id: string,
  revision = 'r1',
  rest: Partial<Omit<CatalogEntry, 'source'>> = {},
) {
  const shared = {
    ...{ id, ownedBy: 'o', created: 1, license: 'mit', quantization: 'q4f16_1' },
    ...{ contextLength: 2048, features: [], gpuBytes: 1 },
  };
  const manifest = {
    ...shared,
    ...{ format: 'slashv1-pack' as const, version: 1 as const, revision },
    ...{ modelLibrary: 'model.wasm', files: [] },
  };
  const source = { kind: 'pack' as const, url: 'http://site/packs/p/', position: 0, manifest };
  return { ...shared, source, ...rest } satisfies CatalogEntry;
}

/** A catalog entry of a model on the hub. */
export function hubEntry(id: string, rest: Partial<CatalogEntry> = {}): CatalogEntry {
  return {
    id,
    source: { kind: 'hub', repository: id, modelLibrary: 'lib.wasm', needsF16: false },
    ...{ ownedBy: 'o', created: 0, quantization: 'q4f16_1', contextLength: 4096 },
    ...rest,
  };
}

export function installation(revision: string): Installation {
  return { revision, files: [], modelLibrary: 'model.wasm' };
}
