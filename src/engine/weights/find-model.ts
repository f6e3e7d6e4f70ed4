import { invalidRequest, modelNotFound } from '../../core/protocol/errors.ts';
import type { CatalogEntry } from '../../core/stores/catalog-entry.ts';
import { fetchPack } from './embedded-packs.ts';
import { findOnHub } from '../webllm/mlc-repository.ts';
import type { Hub } from './hub.ts';

/**
 * The catalog entry of a model that the catalog does not know.
 *
 * @param source - `org/name` of a repository on the hub, or the URL of a pack's folder or manifest
 * @param known - the catalog: a hub model runs on the library of one of the same architecture
 * @throws ApiError 400 for what is neither, 404 where there is no such model
 */
export async function findModel(
  source: string,
  hub: Hub,
  known: CatalogEntry[],
  signal: AbortSignal,
): Promise<CatalogEntry> {
  if (/^https?:\/\//.test(source)) return addedPack(source, signal);
  if (/^[\w.-]+\/[\w.-]+$/.test(source)) return findOnHub(source, hub, known, signal);
  throw invalidRequest(
    `'${source}' is neither "owner/name" of a model on the hub nor the URL of a model pack.`,
    'model',
  );
}

async function addedPack(source: string, signal: AbortSignal): Promise<CatalogEntry> {
  if (!URL.canParse(source)) throw invalidRequest(`'${source}' is no URL.`, 'model');
  const folder = new URL(source.replace(/(\/manifest\.json|\/*)$/, '/'));
  const entry = await packAt(folder, signal);
  if (entry) return { ...entry, added: true };
  signal.throwIfAborted();
  throw modelNotFound(source, 'Its server cannot be reached from this page, or it fails.');
}

async function packAt(folder: URL, signal: AbortSignal): Promise<CatalogEntry | undefined> {
  try {
    return await fetchPack(folder, Number.MAX_SAFE_INTEGER, signal);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw modelNotFound(folder.href, why);
  }
}
