import { afterEach, beforeEach, vi } from 'vitest';
import { ORIGIN } from '../support/api.ts';

/** A PNG of one pixel, the one in the recordings. */
export const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
export const DATA = `data:image/png;base64,${PNG}`;
export const BYTES = new Uint8Array(Buffer.from(PNG, 'base64'));
/** Stands for an image in a text. */
export const MARK = '\uFDD0';

/** What the site serves, and what was fetched from it. */
export interface ImageSite {
  /** Address → answer. */
  files: Map<string, () => Response>;
  /** Addresses, and how they were fetched. */
  fetched: [string, RequestInit | undefined][];
}

/** Replaces the network in the tests of a file: the site's `/cat.png` is all there is. */
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
