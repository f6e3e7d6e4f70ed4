import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { expect, openPage, reloadPage, test, TINY } from './support/fixtures.ts';
import { PACKS, PIPER, serveTestSite, type TestSite } from './support/site.ts';

const INSTALLED = ['tiny-chat', 'test-piper'];

test.describe.configure({ timeout: 360_000 });

interface Stored {
  /** All records of all databases that hold bytes: their keys, and how many bytes. */
  records: { key: string; bytes: number }[];
  /** Of all entries of all caches. */
  cached: string[];
  /** Names of files in the origin's private file system. */
  files: string[];
}

/** Runs in the page: what there is in every place that could hold a model's files. */
async function readStored(): Promise<Stored> {
  const done = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error ?? new Error('IndexedDB failed.'));
    });
  const bytesIn = (value: unknown): number => {
    if (value instanceof Blob) return value.size;
    if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return value.byteLength;
    if (typeof value !== 'object' || value === null) return 0;
    return Object.values(value).reduce((sum: number, member) => sum + bytesIn(member), 0);
  };
  const stored: Stored = { records: [], cached: [], files: [] };
  for (const { name = '' } of await indexedDB.databases()) {
    const db = await done(indexedDB.open(name));
    for (const storeName of db.objectStoreNames) {
      const store = db.transaction(storeName).objectStore(storeName);
      const [keys, values] = await Promise.all([done(store.getAllKeys()), done(store.getAll())]);
      const records = values.map((value, at) => ({
        key: JSON.stringify(keys[at]),
        bytes: bytesIn(value),
      }));
      stored.records.push(...records.filter(({ bytes }) => bytes > 0));
    }
    db.close();
  }
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    stored.cached.push(...(await cache.keys()).map(({ url }) => url));
  }
  const folder = await navigator.storage.getDirectory();
  for await (const name of folder.keys()) stored.files.push(name);
  return stored;
}

interface Manifest {
  files: { path: string; size: number }[];
}

/** A chat model's answer, and a speech: both models are loaded from the store for them. */
async function useBoth(page: Page): Promise<void> {
  await page.evaluate(
    async ([chat, voice]) => {
      const messages = [{ role: 'user' as const, content: 'Hello!' }];
      await window.client.chat.completions.create({ model: chat, messages });
      const request = { model: voice, voice: 'joe', input: 'Hello.' };
      const speech = await window.client.audio.speech.create(request);
      if ((await speech.arrayBuffer()).byteLength < 10_000) throw new Error('That is no speech.');
    },
    [TINY, PIPER] as const,
  );
}

/** How often each file of the packs was asked for. */
function requestsOf({ requests }: TestSite, paths: string[]): number[] {
  return paths.map((path) => requests.filter((each) => each === path).length);
}

test('models that write and models that speak are downloaded once and stored once', async ({
  fresh,
}) => {
  const site = await serveTestSite('/', INSTALLED);
  const packs = INSTALLED.map((pack) => {
    const text = readFileSync(join(PACKS[pack] ?? '', 'manifest.json'), 'utf8');
    return { pack, ...(JSON.parse(text) as Manifest) };
  });
  const paths = packs.flatMap(({ pack, files }) =>
    files.map(({ path }) => `/packs/${pack}/${path}`),
  );
  const sizes = packs.flatMap(({ files }) => files.map(({ size }) => size));
  const page = await openPage(fresh, site.url);
  // In memory, loaded anew, and loaded by other workers.
  await page.evaluate(() => window.begin());
  await useBoth(page);
  await page.evaluate(
    async (models) => {
      for (const model of models) await window.v1.models.unload(model);
    },
    [TINY, PIPER],
  );
  await useBoth(page);
  await reloadPage(page);
  await page.evaluate(() => window.begin());
  await useBoth(page);

  expect(requestsOf(site, paths)).toEqual(paths.map(() => 1));
  const { records, cached, files } = await page.evaluate(readStored);
  // What was noted at a loading for the next one is no file of the model's.
  const bytes = records.filter(({ key }) => !key.includes('".slashv1/')).map((each) => each.bytes);
  const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0);
  expect(sum(bytes)).toBe(sum(sizes));
  expect(cached.filter((url) => url.includes('packs/') || url.includes('model.'))).toEqual([]);
  expect(files).toEqual([]);
  await page.close();
  await site.close();
});
