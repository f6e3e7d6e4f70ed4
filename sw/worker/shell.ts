import { PrecacheController, PrecacheRoute, type PrecacheEntry } from 'workbox-precaching';

/**
 * The page's own files, kept so that it opens without a network. Files of an older build stay as long as
 * its tabs may be open: the server no longer has those that a tab has not loaded yet.
 */
export class Shell {
  readonly #controller = new PrecacheController();
  readonly #route = new PrecacheRoute(this.#controller);

  constructor(files: (PrecacheEntry | string)[]) {
    this.#controller.addToCacheList(files);
  }

  async install(event: ExtendableEvent): Promise<void> {
    await this.#controller.install(event);
  }

  /** Undefined for other files. */
  answer(event: FetchEvent): Promise<Response> | undefined {
    const { request } = event;
    if (request.method !== 'GET') return undefined;
    const url = new URL(request.url);
    const params: unknown = this.#route.match({ event, request, url, sameOrigin: true });
    if (isParams(params)) return this.#route.handler.handle({ event, request, url, params });
    return isCode(request) && url.search === '' ? this.#ofOlderBuild(request) : undefined;
  }

  /** Removes the files of older builds. To be called when no tab is open. */
  async tidy(event: ExtendableEvent): Promise<void> {
    await this.#controller.activate(event);
  }

  async #ofOlderBuild(request: Request): Promise<Response> {
    const cache = await caches.open(this.#controller.strategy.cacheName);
    // Files are kept with their revision in the query.
    return (await cache.match(request, { ignoreSearch: true })) ?? fetch(request);
  }
}

function isParams(value: unknown): value is Record<string, string> {
  return typeof value === 'object' && value !== null;
}

function isCode({ destination }: Request): boolean {
  return destination === 'script' || destination === 'style';
}
