import { afterEach, beforeEach, vi } from 'vitest';
import { ORIGIN } from './api.ts';

/** A PNG of one pixel, as the recordings have it. */
export const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
export const DATA = `data:image/png;base64,${PNG}`;
export const BYTES = new Uint8Array(Buffer.from(PNG, 'base64'));
/** Stands where an image is. */
export const MARK = '\uFDD0';

/** What the site serves, and what was fetched from it. */
export interface ImageSite {
  /** By address. */
  files: Map<string, () => Response>;
  /** Addresses, and how they were fetched. */
  fetched: [string, RequestInit | undefined][];
}

/** In the tests of this file, there is no network but a site with `/cat.png`. */
export function serveImages(): ImageSite {
  const site: ImageSite = { files: new Map(), fetched: [] };

  beforeEach(() => {
    site.files = new Map([[`${ORIGIN}/cat.png`, () => new Response(BYTES)]]);
    site.fetched = [];
    vi.stubGlobal('fetch', (address: string, init?: RequestInit) => {
      site.fetched.push([address, init]);
      const answer = site.files.get(address)?.() ?? new Response('Not found', { status: 404 });
      return Promise.resolve(answer);
    });
  });

  afterEach(() => vi.unstubAllGlobals());
  return site;
}
