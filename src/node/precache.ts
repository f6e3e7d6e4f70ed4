import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SERVICE_WORKER } from '../core/site/service-worker-files.ts';

/** An entry of Workbox's precache manifest. */
export interface PrecacheEntry {
  /** Relative to the service worker. */
  url: string;
  /** Null: the URL changes with the content. */
  revision: string | null;
}

/** The placeholder that Workbox's injectManifest replaces as well. */
export const PLACEHOLDER = 'self.__WB_MANIFEST';

const APP_SHELL =
  /\.(?:html|js|mjs|css|json|webmanifest|wasm|svg|png|ico|jpe?g|webp|avif|gif|woff2?)$/;

/** The browser keeps these itself. */
const SERVICE_WORKER_FILES = new Set(Object.values(SERVICE_WORKER));

/**
 * Whether a file belongs to the app shell: what a page needs to open, without models, maps and media, and without dot
 * files such as Vite's manifest, which many servers do not send.
 */
export function isAppShell(file: string): boolean {
  const isHidden = /(?:^|\/)\./.test(file);
  return (
    APP_SHELL.test(file) &&
    !isHidden &&
    !SERVICE_WORKER_FILES.has(file) &&
    !file.startsWith('packs/')
  );
}

/**
 * One entry for each file.
 *
 * @param files - paths relative to the folder
 * @param hashed - those whose names change with their content
 */
export function precacheEntries(
  folder: string,
  files: string[],
  hashed: ReadonlySet<string>,
): PrecacheEntry[] {
  return [...new Set(files)].sort().map((url) => ({
    url,
    revision: hashed.has(url) ? null : hashOf(join(folder, url)),
  }));
}

function hashOf(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, 16);
}

/** The service worker's code with the manifest in place of the placeholder. */
export function injectPrecache(serviceWorker: string, entries: PrecacheEntry[]): string {
  const parts = serviceWorker.split(PLACEHOLDER);
  if (parts.length !== 2) {
    throw new Error(
      `sw.js must contain ${PLACEHOLDER} once. It contains it ${parts.length - 1} times.`,
    );
  }
  return parts.join(JSON.stringify(entries));
}
