import { isPage } from '../../src/core/site/served-file.ts';
import { ON_DEMAND_FILES, onDemandCache } from '../../src/core/site/engine-files.ts';
import { plainAddress } from '../../src/core/site/import-script.ts';
import { keepResponse } from './keep-response.ts';
import { keptFile } from './kept-file.ts';
import { leave, networkFirst } from './network-first.ts';

/**
 * Whether this is a file that only pages with speech or with llama.cpp need. Such files are kept once they
 * were fetched.
 *
 * @param root - path of the service worker's scope
 */
export function isOnDemandFile(pathname: string, root: string): boolean {
  return ON_DEMAND_FILES.some((file) => pathname === root + file);
}

/**
 * The file from the network, so that it always fits the site; without a network, the copy that was fetched last.
 * A file whose address names its version is fetched once. What comes from a fresh address replaces the copy of the plain
 * one.
 *
 * @param keep - gets a promise that may outlive the answer
 */
export async function onDemandFile(
  request: Request,
  root: string,
  keep: (work: Promise<unknown>) => void,
): Promise<Response> {
  const plain = plainAddress(request.url);
  const isFresh = plain !== request.url;
  const file = isFresh ? new Request(plain) : request;
  const kept = () => keptFile(onDemandCache(root), file);
  const hasVersion = new URL(plain).search !== '';
  const known = hasVersion && !isFresh ? await kept() : undefined;
  if (known) return known;
  const store = async (response: Response) =>
    keepOnly(await caches.open(onDemandCache(root)), file, response, isFresh);
  // The loaders of these files ask again themselves, and browsers open no more than six connections to a server with HTTP/1.1.
  return networkFirst(fetch(request), kept, (response) => keep(inTurn(() => store(response))));
}

/**
 * Keeps the on-demand files that a page loaded before this service worker saw its requests. They are read from the
 * browser's cache, if they are there.
 */
export async function keepLoadedFiles(urls: readonly string[], root: string): Promise<void> {
  const cache = await caches.open(onDemandCache(root));
  const keep = async (url: string) => {
    const request = new Request(url, { cache: 'force-cache' });
    if (await cache.match(request)) return;
    const response = await fetch(request);
    if (response.ok) await keepOnly(cache, request, response);
  };
  const own = urls.map((url) => new URL(url)).filter(({ origin }) => origin === location.origin);
  const files = own.filter(({ pathname }) => isOnDemandFile(pathname, root));
  await Promise.all(files.map(({ href }) => inTurn(() => keep(href))));
}

/** The latest work on the cache. */
let latest = Promise.resolve();

/**
 * Does all work on the cache one after the other: WebKit must not read a file while it is written, see `keepResponse`.
 * A failure is ignored: the file is then not kept.
 */
function inTurn(work: () => Promise<void>): Promise<void> {
  latest = latest.then(work).catch(() => undefined);
  return latest;
}

/**
 * Keeps a file, and deletes its other versions.
 *
 * @param isDamaged - whether the copy is, although its headers may be those of the response
 */
async function keepOnly(
  cache: Cache,
  request: Request,
  response: Response,
  isDamaged = false,
): Promise<void> {
  // Some servers answer with a page for a missing file.
  if (isPage(response)) return leave(response);
  if (isDamaged) await cache.delete(request);
  await keepResponse(cache, request, response);
  const all = await cache.keys(request, { ignoreSearch: true });
  await Promise.all(all.filter(({ url }) => url !== request.url).map((old) => cache.delete(old)));
}
