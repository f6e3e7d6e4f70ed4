import * as v from 'valibot';
import type { CatalogEntry } from '../../../core/catalog/catalog-entry.ts';
import { manifestSchema } from '../../../core/catalog/pack-manifest.ts';
import { packEntry } from '../../../core/catalog/pack-variant.ts';
import type { Installation, PackSource } from '../../../core/catalog/variant.ts';

/** `packs/index.json`: the packs' folders, relative to it. */
const indexSchema = v.object({
  /** Those that builds before llama.cpp can read, too. */
  packs: v.array(v.string()),
  /** If there are others: all, in the site's order. */
  all: v.optional(v.array(v.string())),
  /** What is in the folders' `manifest.json`, so that these need not be fetched; some or all may be missing. */
  manifests: v.optional(v.record(v.string(), v.unknown()), {}),
});

/**
 * Catalog entries of the packs that come with this site; undefined if the site cannot be reached or
 * fails (5xx). That is not an error: what the catalog knows of the packs is still true.
 *
 * @param base - folder of `packs/`
 */
export async function embeddedPacks(base: string): Promise<CatalogEntry[] | undefined> {
  const index = new URL('packs/index.json', base);
  const response = await fetchOrUndefined(index);
  if (!response || response.status >= 500) return undefined;
  // A site may have no packs: all its models come from the hub. Some servers, Vite's among them, answer
  // with a page for a missing file.
  if (!response.ok || isPage(response)) return [];
  const { packs, all = packs, manifests } = v.parse(indexSchema, await response.json());
  const entries = await Promise.all(
    all.map(async (folder, position) => {
      const url = new URL(folder, index);
      const listed = v.safeParse(manifestSchema, manifests[folder]);
      if (!listed.success) return fetchPack(url, position);
      return packEntry(listed.output, { url: url.href, position });
    }),
  );
  return entries.every((entry) => entry !== undefined) ? entries : undefined;
}

async function fetchOrUndefined(url: URL, signal?: AbortSignal): Promise<Response | undefined> {
  try {
    return await fetch(url, { cache: 'no-cache', ...(signal && { signal }) });
  } catch {
    return undefined;
  }
}

function isPage(response: Response): boolean {
  return response.headers.get('content-type')?.startsWith('text/html') ?? false;
}

/**
 * The catalog entry of a pack; undefined if its server cannot be reached or fails (5xx).
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
  if (!response || response.status >= 500) return undefined;
  if (!response.ok || isPage(response)) {
    throw new Error(`${url.href} has no manifest.json: HTTP ${response.status}`);
  }
  const result = v.safeParse(manifestSchema, await response.json().catch(() => undefined));
  if (!result.success) throw new Error(`${response.url} is not the manifest of a model pack.`);
  return packEntry(result.output, { url: url.href, position });
}

/** A pack's files lie beside its manifest. */
export function packInstallation({ url, manifest }: PackSource): Installation {
  return {
    revision: manifest.revision,
    files: manifest.files.map((file) => ({ ...file, url: new URL(file.path, url).href })),
  };
}
