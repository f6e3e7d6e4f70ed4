import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** An entry of Workbox's precache manifest. */
export interface PrecacheEntry {
  /** Relative to the service worker. */
  url: string;
  revision: string;
}

/** What Workbox's injectManifest replaces, and so do we. */
const PLACEHOLDER = 'self.__WB_MANIFEST';

const APP_SHELL =
  /\.(?:html|js|mjs|css|json|webmanifest|wasm|svg|png|ico|jpe?g|webp|avif|gif|woff2?)$/;

/** Is it of the app shell: what a page needs to open, not models, maps or media? */
export function isAppShell(file: string): boolean {
  return APP_SHELL.test(file) && file !== 'sw.js' && !file.startsWith('packs/');
}

/** One entry for each of the files, which are relative to a folder. */
export function precacheEntries(folder: string, files: string[]): PrecacheEntry[] {
  return [...new Set(files)].sort().map((url) => ({
    url,
    revision: createHash('sha256')
      .update(readFileSync(join(folder, url)))
      .digest('hex')
      .slice(0, 16),
  }));
}

/** The service worker with the manifest in its place. */
export function injectPrecache(serviceWorker: string, entries: PrecacheEntry[]): string {
  const parts = serviceWorker.split(PLACEHOLDER);
  if (parts.length !== 2) {
    throw new Error(`sw.js must hold ${PLACEHOLDER} once; it holds it ${parts.length - 1} times.`);
  }
  return parts.join(JSON.stringify(entries));
}
