import type { ReadFile } from '../weights/read-file.ts';

/** WebLLM takes a model's files from below this address; nothing is ever fetched from there. */
export const MODEL_URL = 'https://model.slashv1.invalid/resolve/main/';

/**
 * Stands in for the Cache API, which WebLLM reads all its files through, so that they come from our
 * weight store instead. WebLLM must be imported after this: it takes `caches` as it finds it.
 */
export class CacheShim {
  #read: ReadFile = () => Promise.resolve(undefined);

  /** From now on WebLLM sees the files of this model. */
  serve(read: ReadFile): void {
    this.#read = read;
  }

  install(scope: object): void {
    const open = () => Promise.resolve(this.#cache());
    Object.defineProperty(scope, 'caches', { value: { open }, configurable: true });
  }

  /** The four methods WebLLM calls, of the Cache interface. */
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
