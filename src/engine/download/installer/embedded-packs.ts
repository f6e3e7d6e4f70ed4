import * as v from 'valibot';
import type { CatalogEntry } from '../../../core/catalog/catalog-entry.ts';
import { fileUrl } from '../../../core/catalog/file-url.ts';
import { manifestSchema } from '../../../core/catalog/pack-manifest.ts';
import { packEntry } from '../../../core/catalog/pack-variant.ts';
import type { Installation, PackSource } from '../../../core/catalog/variant.ts';
import { INIT_AGAIN, isPage } from '../../../core/site/served-file.ts';

/** `packs/index.json`: the packs' folders, relative to it, in the site's order. */
const indexSchema = v.object({
  packs: v.array(v.string()),
  /** The folders' `manifest.json` files, which then need not be fetched. Some or all may be missing. */
  manifests: v.optional(v.record(v.string(), v.unknown()), {}),
});

/** Timeout of the list of packs, milliseconds: as long as for any connection without data. */
const PATIENCE_MS = 30_000;

/**
 * Catalog entries of the packs that come with this site; undefined if the site cannot be reached, fails, or
 * refuses the request. That is not an error: the catalog's entries of the packs are still valid.
 *
 * @param base - folder of `packs/`
 * @param signal - ends the wait for a site that does not answer
 */
export async function embeddedPacks(
  base: string,
  signal = AbortSignal.timeout(PATIENCE_MS),
): Promise<CatalogEntry[] | undefined> {
  const url = new URL('packs/index.json', base);
  const response = await fetchOrUndefined(url, signal);
  if (!response) return undefined;
  // A site may have no packs: all its models come from the hub. Some servers, Vite's among them, answer
  // with a page for a missing file.
  if (isMissing(response)) return [];
  const text = response.ok ? await response.text().catch(() => undefined) : undefined;
  if (text === undefined) return undefined;
  const index = v.safeParse(v.pipe(v.string(), v.parseJson(), indexSchema), text);
  if (!index.success) throw new Error(notAList(url));
  const { packs, manifests } = index.output;
  const entries = await Promise.all(
    packs.map(async (folder, position) => {
      const pack = new URL(folder, url);
      const listed = v.safeParse(manifestSchema, manifests[folder]);
      if (!listed.success) return fetchPack(pack, position, signal);
      return packEntry(listed.output, { url: pack.href, position });
    }),
  );
  return entries.every((entry) => entry !== undefined) ? entries : undefined;
}

function notAList({ href }: URL): string {
  return `${href} is not a list of packs: it is empty, cut off or of something else. ${INIT_AGAIN}`;
}

async function fetchOrUndefined(url: URL, signal?: AbortSignal): Promise<Response | undefined> {
  try {
    return await fetch(url, { cache: 'no-cache', ...(signal && { signal }) });
  } catch {
    return undefined;
  }
}

/** Other failures, such as 401 and 429, do not mean that the file is missing. */
function isMissing(response: Response): boolean {
  const { ok, status } = response;
  return status === 404 || status === 410 || (ok && isPage(response));
}

/**
 * The catalog entry of a pack; undefined if its server cannot be reached, fails, or refuses the request.
 *
 * @param url - of the pack's folder
 * @param position - in the site's list
 * @throws Error if there is no pack at the URL
 */
export async function fetchPack(
  url: URL,
  position: number,
  signal?: AbortSignal,
): Promise<CatalogEntry | undefined> {
  const response = await fetchOrUndefined(new URL('manifest.json', url), signal);
  if (!response) return undefined;
  if (isMissing(response)) {
    throw new Error(`${url.href} has no manifest.json: HTTP ${response.status}`);
  }
  const text = response.ok ? await response.text().catch(() => undefined) : undefined;
  if (text === undefined) return undefined;
  const result = v.safeParse(v.pipe(v.string(), v.parseJson(), manifestSchema), text);
  if (!result.success) throw new Error(`${response.url} is not the manifest of a model pack.`);
  return packEntry(result.output, { url: url.href, position });
}

/** A pack's files lie beside its manifest. */
export function packInstallation({ url, manifest }: PackSource): Installation {
  return {
    revision: manifest.revision,
    files: manifest.files.map((file) => ({ ...file, url: fileUrl(file.path, url).href })),
  };
}
