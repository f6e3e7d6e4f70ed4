import type { ReadFile } from '../download/transfer/read-file.ts';

/** The URL below which WebLLM looks for the model's files. Nothing is ever fetched from it. */
export const MODEL_URL = 'https://model.slashv1.invalid/resolve/main/';

/** Prefix of the names of WebLLM's caches. */
const PREFIX = 'webllm/';

/**
 * Replaces the caches that WebLLM opens: it reads all its files through the Cache API, and gets them from our weight
 * store. Must be installed before WebLLM first opens a cache. Other code gets the browser's own caches.
 */
export class CacheShim {
  #read: ReadFile = () => Promise.resolve(undefined);

  /** Makes WebLLM see the files of this model. */
  serve(read: ReadFile): void {
    this.#read = read;
  }

  install(storage: Pick<CacheStorage, 'open'>): void {
    const open = storage.open.bind(storage);
    const openEither = async (name: string) =>
      name.startsWith(PREFIX) ? this.#cache() : open(name);
    Object.defineProperty(storage, 'open', { value: openEither, configurable: true });
  }

  /** The four methods of the Cache interface that WebLLM calls. */
  #cache() {
    return {
      match: async (request: Request | string) => {
        const blob = await this.#read(pathOf(request));
        return blob && new Response(blob);
      },
      add: (request: Request | string) =>
        Promise.reject(new Error(`The model has no file ${pathOf(request)}.`)),
      keys: () => Promise.resolve([]),
      delete: () => Promise.resolve(false),
    };
  }
}

function pathOf(request: Request | string): string {
  const url = typeof request === 'string' ? request : request.url;
  return url.startsWith(MODEL_URL) ? decodeURIComponent(url.slice(MODEL_URL.length)) : '';
}
