import * as v from 'valibot';
import {
  manifestSchema,
  type CatalogEntry,
  type Installation,
  type PackSource,
} from '../../core/stores/catalog-entry.ts';
import { totalBytes } from '../../core/stores/installation-progress.ts';

/** `packs/index.json`: folders relative to it. */
const indexSchema = v.object({ packs: v.array(v.string()) });

/**
 * Catalog entries of the packs that come with this site; undefined when the site cannot be reached, or
 * fails (5xx). That is not an error: what the catalog knows of them still holds.
 *
 * @param base - folder of `packs/`
 */
export async function embeddedPacks(base: string): Promise<CatalogEntry[] | undefined> {
  const index = new URL('packs/index.json', base);
  const response = await fetchOrUndefined(index);
  if (!response || response.status >= 500) return undefined;
  // A site without packs is a site whose models all come from the hub. Some servers, Vite's among
  // them, answer with a page for a file that is not there.
  if (!response.ok || isPage(response)) return [];
  const { packs } = v.parse(indexSchema, await response.json());
  const entries = await Promise.all(
    packs.map((folder, position) => fetchPack(new URL(folder, index), position)),
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
 * The catalog entry of a pack; undefined when its server cannot be reached, or fails (5xx).
 *
 * @param url - of the pack's folder
 * @param position - in the site's list
 * @throws Error when there is no pack
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
  if (!result.success) throw new Error(`${response.url} is no manifest of a model pack.`);
  const manifest = result.output;
  return {
    id: manifest.id,
    source: { kind: 'pack', url: url.href, position, manifest },
    ownedBy: manifest.ownedBy,
    created: manifest.created,
    quantization: manifest.quantization,
    contextLength: manifest.contextLength,
    features: manifest.features,
    ...(manifest.speech && { speech: manifest.speech }),
    bytes: totalBytes(manifest.files),
    gpuBytes: manifest.gpuBytes,
    license: manifest.license,
  };
}

export function packInstallation({ url, manifest }: PackSource): Installation {
  return {
    revision: manifest.revision,
    modelLibrary: manifest.modelLibrary,
    files: manifest.files.map((file) => ({ ...file, url: new URL(file.path, url).href })),
  };
}
