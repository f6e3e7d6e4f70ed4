import { invalidRequest, modelNotFound } from '../../core/protocol/errors.ts';
import type { CatalogEntry } from '../../core/stores/catalog-entry.ts';
import { fetchPack } from './embedded-packs.ts';
import type { HubFinder } from './engine-installer.ts';

/**
 * Makes the catalog entry of a model that the catalog does not know.
 *
 * @param source - `org/name` of a repository on the hub, or the URL of a pack's folder or manifest
 * @param finders - of the engines that can run repositories that no list names
 * @param known - the catalog
 * @throws ApiError 400 if the source is neither, or nothing here can run it; 404 for an unknown model
 */
export async function findModel(
  source: string,
  finders: HubFinder[],
  known: CatalogEntry[],
  signal: AbortSignal,
): Promise<CatalogEntry> {
  if (/^https?:\/\//.test(source)) return addedPack(source, signal);
  if (/^[\w.-]+\/[\w.-]+$/.test(source)) return findOnHub(source, finders, known, signal);
  throw invalidRequest(
    `'${source}' is neither "owner/name" of a model on the hub nor the URL of a model pack.`,
    'model',
  );
}

async function findOnHub(
  repository: string,
  finders: HubFinder[],
  known: CatalogEntry[],
  signal: AbortSignal,
): Promise<CatalogEntry> {
  for (const finder of finders) {
    const found = await finder.find(repository, known, signal);
    if (found) return { ...found, added: true };
  }
  const markers = finders.map(({ marker }) => marker).join(' or ');
  throw invalidRequest(`No engine here can run ${repository}: it has no ${markers}.`, 'model');
}

async function addedPack(source: string, signal: AbortSignal): Promise<CatalogEntry> {
  if (!URL.canParse(source)) throw invalidRequest(`'${source}' is not a valid URL.`, 'model');
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
