/**
 * A file of the page as the build lists it, relative to the service worker. Without a revision, the URL
 * itself changes with the content.
 */
export type ShellFile = string | { url: string; revision?: string | null };

/** Parameters of links in mails and advertisements: they do not change which page is meant. */
const IGNORED_PARAMETER = /^utm_|^fbclid$/;

/**
 * The page's own files, kept so that it opens without a network. Files of an older build stay as long as
 * its tabs may be open: the server no longer has those that a tab has not loaded yet. Cache and keys are
 * those of Workbox, which earlier versions used.
 */
export class Shell {
  readonly #cacheName: string;
  /** The key in the cache by the URL. */
  readonly #keys: ReadonlyMap<string, string>;

  /**
   * @param base - URL of the service worker's script
   * @param scope - the service worker's, absolute
   */
  constructor(files: readonly ShellFile[], base: string, scope: string) {
    this.#cacheName = `workbox-precache-v2-${scope}`;
    this.#keys = new Map(files.map((file) => urlAndKey(file, base)));
  }

  /** Fetches the files that are not kept yet, one after the other: the page is loading at the same time. */
  async install(): Promise<void> {
    const cache = await caches.open(this.#cacheName);
    for (const [url, key] of this.#keys) {
      if (!(await cache.match(key))) await cache.put(key, await freshFile(url));
    }
  }

  /** Undefined for other files. */
  answer(request: Request): Promise<Response> | undefined {
    if (request.method !== 'GET') return undefined;
    const key = variations(request.url)
      .map((url) => this.#keys.get(url))
      .find((each) => each !== undefined);
    if (key !== undefined) return this.#kept(key, request);
    // Files are kept with their revision in the query.
    const isOlder = isCode(request) && new URL(request.url).search === '';
    return isOlder ? this.#kept(request.url, request) : undefined;
  }

  /** Removes the files of older builds. To be called when no tab is open. */
  async tidy(): Promise<void> {
    const cache = await caches.open(this.#cacheName);
    const current = new Set(this.#keys.values());
    for (const request of await cache.keys()) {
      if (!current.has(request.url)) await cache.delete(request);
    }
  }

  /** From the network if the browser has dropped it. */
  async #kept(key: string, request: Request): Promise<Response> {
    const cache = await caches.open(this.#cacheName);
    const ignoreSearch = key === request.url;
    return (await cache.match(key, { ignoreSearch })) ?? fetch(request);
  }
}

function urlAndKey(file: ShellFile, base: string): [url: string, key: string] {
  const { url, revision } = typeof file === 'string' ? { url: file, revision: null } : file;
  const key = new URL(url, base);
  const { href } = key;
  if (revision) key.searchParams.set('__WB_REVISION__', revision);
  return [href, key.href];
}

async function freshFile(url: string): Promise<Response> {
  const response = await fetch(url, { cache: 'reload', credentials: 'same-origin' });
  if (!response.ok) throw new Error(`${url} could not be fetched: HTTP ${response.status}.`);
  // A navigation cannot be answered with a redirected response.
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
