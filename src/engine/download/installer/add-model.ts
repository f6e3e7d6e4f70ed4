import { invalidRequest } from '../../../core/errors/errors.ts';
import type { CatalogEntry } from '../../../core/catalog/catalog-entry.ts';
import type { CatalogStore } from '../../../core/catalog/catalog-store.ts';
import type { Variant } from '../../../core/catalog/variant.ts';
import type { EngineInstallers, Found } from './engine-installer.ts';
import { findGiven, findModel, type Finders } from '../hub/find-model.ts';

interface ModelSources {
  catalog: CatalogStore;
  engines: EngineInstallers;
}

/**
 * Puts a model into the catalog.
 *
 * @param source - as `readModelSource` takes it, or the id of a model that the catalog knows
 * @throws ApiError as `findModel`
 */
export async function addModel(
  source: string,
  { catalog, engines }: ModelSources,
  signal: AbortSignal,
): Promise<CatalogEntry> {
  const known = await catalog.get(source);
  if (known) return known;
  return keep(await findModel(source, inOrder(engines), await catalog.list(), signal), catalog);
}

/**
 * Puts a model, whose files the visitor picked, into the catalog.
 *
 * @param files - all parts of one model, in any order
 * @throws ApiError 400 if nothing can run it
 */
export async function addGiven(
  files: readonly File[],
  { catalog, engines }: ModelSources,
): Promise<CatalogEntry> {
  return keep(await findGiven(files, inOrder(engines)), catalog);
}

/** A repository with the files of several engines has their variants in this order. */
function inOrder({ webllm, llamacpp, onnx }: EngineInstallers): Finders {
  return [webllm, llamacpp, onnx];
}

async function keep({ entry, otherId }: Found, catalog: CatalogStore): Promise<CatalogEntry> {
  const ids = otherId === undefined ? [entry.id] : [entry.id, otherId];
  // A model with only one possible id is identified by it. The existing entry is kept: it may be installed.
  const isSame = (other: CatalogEntry) => otherId === undefined || haveCommonFiles(other, entry);
  const kept = await catalog.add({ ...entry, added: true }, ids, isSame);
  if (kept) return kept;
  throw invalidRequest(`The catalog has other models with the ids ${ids.join(' and ')}.`, 'model');
}

function haveCommonFiles(a: CatalogEntry, b: CatalogEntry): boolean {
  const files = new Set(a.variants.map(filesOf));
  return b.variants.some((variant) => files.has(filesOf(variant)));
}

/** A key that is equal for variants with the same files. */
function filesOf({ engine, source }: Variant): string {
  switch (source.kind) {
    case 'pack':
      return `pack ${source.url}`;
    case 'hub':
      return `${engine} ${source.repository} ${'paths' in source ? source.paths.join() : ''}`;
    case 'url':
      return source.urls.join();
    case 'local':
      return source.revision;
    case 'browser':
      return source.kind;
  }
}
