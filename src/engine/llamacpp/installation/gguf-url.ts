import { sha256Hex } from '../../../core/text/sha256.ts';
import type { Installation, UrlSource } from '../../../core/catalog/variant.ts';
import { withRemoteFiles } from '../../download/hub/remote-file.ts';

/** The name of the file at a URL. */
export function urlFileName(url: string): string {
  const { pathname } = new URL(url);
  return decodeURIComponent(pathname.slice(pathname.lastIndexOf('/') + 1));
}

/**
 * The files that the URLs have now. Their hashes are not known.
 *
 * @throws ApiError 404 if there is no such file, 500 if it cannot be read
 */
export async function urlInstallation(
  { urls }: UrlSource,
  signal: AbortSignal,
): Promise<Installation> {
  const remote = urls.map((url) => ({ url, name: url }));
  return withRemoteFiles(remote, signal, async (opened) => {
    const files = opened.map(({ size, name: url }) => ({
      path: urlFileName(url),
      url,
      // 0: the size is known only when the whole file has arrived.
      size: Number.isFinite(size) ? size : 0,
    }));
    const versions = opened.map(({ name, size, validator }) => `${name} ${size} ${validator}`);
    return { revision: await sha256Hex(versions.join()), files };
  });
}
