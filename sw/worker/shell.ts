import { isPage } from '../../src/core/site/served-file.ts';
import { keptFile } from './kept-file.ts';
import { fetchAnswered, leave, networkFirst } from './network-first.ts';
import { isOnDemandFile } from './on-demand-files.ts';

/**
 * A file of the page as the build lists it, relative to the service worker. Without a revision, the URL
 * itself changes with the content.
 */
export type ShellFile = string | { url: string; revision?: string | null };

/** Parameters of links in mails and advertisements: they do not change which page is meant. */
const IGNORED_PARAMETER = /^utm_|^fbclid$/;

/** The files that a page cannot open without. */
const PARTS: ReadonlySet<RequestDestination> = new Set([
  ...(['document', 'iframe', 'script', 'style', 'font', 'worker', 'sharedworker'] as const),
]);
const PART_TYPES = /html|css|javascript|font/;

/** How many visited files are kept when no tab is open. */
const MOST_VISITED = 300;

/**
 * The page's own files, kept so that it opens without a network: the files of the build, and others that its tabs have
 * loaded, such as pages that a server makes. The files of an older build stay as long as its tabs may be open: a tab
 * may not have loaded all of them, and the server no longer has them.
 */
export class Shell {
  readonly #cacheName: string;
  readonly #visitedName: string;
  readonly #root: string;
  /** The key in the cache by the URL. */
  readonly #keys: ReadonlyMap<string, string>;
  readonly #tried = new Set<string>();
  /** Files that are being kept, by their URLs. */
  readonly #visits = new Map<string, Promise<void>>();
  /** The key of `index.html`. Routes of the page's own code have the same file. */
  readonly #index: string | undefined;

  /**
   * @param base - URL of the service worker's script
   * @param scope - the service worker's, absolute
   */
  constructor(files: readonly ShellFile[], base: string, scope: string) {
    this.#cacheName = `slashv1-shell:${scope}`;
    this.#visitedName = `slashv1-visited:${scope}`;
    this.#root = new URL(scope).pathname;
    this.#keys = new Map(files.map((file) => urlAndKey(file, base)));
    this.#index = this.#keys.get(new URL('index.html', scope).href);
  }

  /**
   * Fetches the files that are not kept yet, one after the other: the page is loading at the same time. If one cannot
   * be fetched, the page gets it from the network later: that must not keep the API from working.
   */
  async install(): Promise<void> {
    for (const [url, key] of this.#keys) {
      try {
        const cache = await caches.open(this.#cacheName);
        if (!(await cache.match(key))) await cache.put(key, await fetchedFile(url, url === key));
      } catch (error) {
        console.warn(`slashv1: ${url} is not kept for offline use. ${String(error)}`);
      }
    }
  }

  /**
   * Answers requests for the page's files; undefined for other files.
   *
   * @param keep - gets a promise that may outlive the answer
   */
  answer(request: Request, keep: (work: Promise<unknown>) => void): Promise<Response> | undefined {
    if (request.method !== 'GET') return undefined;
    const key = this.#keyOf(request.url);
    return key !== undefined || PARTS.has(request.destination)
      ? this.#answer(request, key, keep)
      : undefined;
  }

  /**
   * Keeps the files that a page loaded before this service worker saw its requests. They are read from the browser's
   * cache, if they are there. The files of engines have a cache of their own.
   */
  async keepLoaded(urls: string[]): Promise<void> {
    const keep = async (url: string) => {
      const response = await fetch(url, { cache: 'force-cache' }).catch(() => undefined);
      if (response?.ok) await this.#visit(url, response);
    };
    // All at once: the page may lose its network.
    await Promise.all(urls.filter((url) => this.#isLoaded(url)).map(keep));
  }

  /**
   * Like `keepLoaded` for one file, unless it is already kept. This is tried once: the server may not let the file be
   * stored.
   */
  async keepMissing(url: string): Promise<void> {
    if (this.#tried.has(url)) return;
    this.#tried.add(url);
    await this.#visits.get(url);
    const visited = await caches.open(this.#visitedName);
    if (!(await visited.match(url, { ignoreVary: true }))) await this.keepLoaded([url]);
  }

  /** Removes the files of older builds, and those that were visited long ago. Call it when no tab is open. */
  async tidy(): Promise<void> {
    const cache = await caches.open(this.#cacheName);
    const current = new Set(this.#keys.values());
    const kept = await cache.keys();
    // A cache lists its files in the order in which they were stored. Behind the last file of this build are those of a
    // newer one, which may have begun to install just now.
    const last = kept.findLastIndex(({ url }) => current.has(url));
    for (const request of last < 0 ? kept : kept.slice(0, last)) {
      if (!current.has(request.url)) await cache.delete(request);
    }
    const visited = await caches.open(this.#visitedName);
    const oldest = (await visited.keys()).slice(0, -MOST_VISITED);
    for (const request of oldest) await visited.delete(request);
  }

  /** Whether a page has loaded this file beside those of the build. */
  #isLoaded(url: string): boolean {
    const { origin, pathname } = new URL(url);
    const isOwn = origin === location.origin && !isOnDemandFile(pathname, this.#root);
    return isOwn && this.#keyOf(url) === undefined;
  }

  #keyOf(url: string): string | undefined {
    return variations(url)
      .map((each) => this.#keys.get(each))
      .find((each) => each !== undefined);
  }

  /** Answers from the cache, or from the network if the file is not of the build or the browser has dropped it. */
  async #answer(
    request: Request,
    key: string | undefined,
    keep: (work: Promise<unknown>) => void,
  ): Promise<Response> {
    const { url, mode } = request;
    // Files are kept with their revision in the query.
    const isOlder = key === undefined && isCode(request) && new URL(url).search === '';
    const known = key ?? (isOlder ? url : undefined);
    const kept = known && (await keptFile(this.#cacheName, known, { ignoreSearch: isOlder }));
    if (kept) return kept;
    const copy = async () => {
      const same = await keptFile(this.#visitedName, url, { ignoreVary: true });
      if (same || mode !== 'navigate' || !this.#index) return same;
      return keptFile(this.#cacheName, this.#index);
    };
    const store = (response: Response) => keep(this.#visit(url, response));
    return networkFirst(fetchAnswered(request), copy, store);
  }

  async #visit(url: string, response: Response): Promise<void> {
    const before = this.#visits.get(url);
    // One after the other, so that the latest response is kept. The disk may be full, and not all can be kept.
    const visit = (async () => before)()
      .then(() => this.#put(url, response))
      .catch(() => undefined);
    this.#visits.set(url, visit);
    await visit;
    if (this.#visits.get(url) === visit) this.#visits.delete(url);
  }

  async #put(url: string, response: Response): Promise<void> {
    const { headers } = response;
    const isPart = PART_TYPES.test(headers.get('content-type') ?? '');
    if (!isPart || /no-store/.test(headers.get('cache-control') ?? '')) return leave(response);
    const cache = await caches.open(this.#visitedName);
    // A file that is already kept is put again: it is then the last, and `tidy` removes the first ones.
    await cache.put(url, withoutRedirect(response));
  }
}

function urlAndKey(file: ShellFile, base: string): [url: string, key: string] {
  const { url, revision } = typeof file === 'string' ? { url: file, revision: null } : file;
  const key = new URL(url, base);
  const { href } = key;
  if (revision) key.searchParams.set('revision', revision);
  return [href, key.href];
}

/** @param isOnly - whether the URL changes with the content: what the page has just loaded is not sent again */
async function fetchedFile(url: string, isOnly: boolean): Promise<Response> {
  const cache = isOnly ? 'default' : 'reload';
  const response = await fetch(url, { cache, credentials: 'same-origin' });
  if (!response.ok) throw new Error(`${url} could not be fetched: HTTP ${response.status}.`);
  // Some servers answer with a page for a missing file. Kept, it would break the site until the next build.
  if (isPage(response) && /\.(?:m?js|css)$/.test(new URL(url).pathname)) {
    throw new Error(`${url} is a page.`);
  }
  return withoutRedirect(response);
}

/** A navigation cannot be answered with a redirected response. */
function withoutRedirect(response: Response): Response {
  return response.redirected ? new Response(response.body, response) : response;
}

/** What a URL may mean: itself, the index of a folder, or a page without its ending. */
function variations(href: string): string[] {
  const url = new URL(href);
  url.hash = '';
  const exact = url.href;
  for (const name of [...url.searchParams.keys()]) {
    if (IGNORED_PARAMETER.test(name)) url.searchParams.delete(name);
  }
  const { pathname } = url;
  const ended = (ending: string) =>
    Object.assign(new URL(url), { pathname: pathname + ending }).href;
  return [
    exact,
    url.href,
    ...(pathname.endsWith('/') ? [ended('index.html')] : []),
    ended('.html'),
  ];
}

function isCode({ destination }: Request): boolean {
  return destination === 'script' || destination === 'style';
}
