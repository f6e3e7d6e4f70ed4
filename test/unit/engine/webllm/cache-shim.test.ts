import { describe, expect, test } from 'vitest';
import { CacheShim, MODEL_URL } from '../../../../src/engine/webllm/cache-shim.ts';

const FILES: Record<string, string> = { 'a.json': '{"a":1}', 'with space.bin': 'weights' };

/** A CacheStorage that only tells which caches were opened. */
function storageOf(opened: string[]): Pick<CacheStorage, 'open'> {
  return {
    open: (name) => {
      opened.push(name);
      return Promise.reject(new Error('opened'));
    },
  };
}

/** The Cache that WebLLM finds, with these files of a model in it. */
async function cacheOf(files: Record<string, string>): Promise<Cache> {
  const opened: string[] = [];
  const storage = storageOf(opened);
  const shim = new CacheShim();
  shim.install(storage);
  shim.serve((path) => {
    const content = files[path];
    return Promise.resolve(content === undefined ? undefined : new Blob([content]));
  });
  const cache = await storage.open('webllm/model');
  expect(opened).toEqual([]);
  return cache;
}

describe('the cache that WebLLM reads', () => {
  test('has the model’s files, by URL and by Request', async () => {
    const cache = await cacheOf(FILES);
    const url = `${MODEL_URL}a.json`;
    for (const request of [url, new Request(url)]) {
      expect(await (await cache.match(request))?.json()).toEqual({ a: 1 });
    }
  });

  test('decodes what a URL has encoded', async () => {
    const cache = await cacheOf(FILES);
    const response = await cache.match(new Request(`${MODEL_URL}with space.bin`));
    expect(await response?.text()).toBe('weights');
  });

  test('can be read repeatedly', async () => {
    const cache = await cacheOf(FILES);
    await (await cache.match(`${MODEL_URL}a.json`))?.text();
    expect(await (await cache.match(`${MODEL_URL}a.json`))?.text()).toBe('{"a":1}');
  });

  test('has no other files, and fetches nothing', async () => {
    const cache = await cacheOf(FILES);
    expect(await cache.match(`${MODEL_URL}other.bin`)).toBeUndefined();
    expect(await cache.match('https://huggingface.co/a.json')).toBeUndefined();
    await expect(cache.add(`${MODEL_URL}other.bin`)).rejects.toThrow('no file other.bin');
  });

  test('keeps everything when WebLLM clears it', async () => {
    const cache = await cacheOf(FILES);
    expect(await cache.keys()).toEqual([]);
    expect(await cache.delete(`${MODEL_URL}a.json`)).toBe(false);
    expect(await cache.match(`${MODEL_URL}a.json`)).toBeDefined();
  });

  test('leaves the caches of others alone', async () => {
    const opened: string[] = [];
    const storage = storageOf(opened);
    new CacheShim().install(storage);
    await expect(storage.open('site')).rejects.toThrow('opened');
    expect(opened).toEqual(['site']);
  });
});
