import type { Page } from 'playwright/test';
import { complete } from '../support/chat.ts';
import { expect, openStarted, restart, test, TINY } from '../support/fixtures.ts';
import { unload } from '../support/models.ts';
import { packFiles } from '../support/hub/pack-files.ts';
import { PIPER, serveTestSite, type TestSite } from '../support/site.ts';
import { speechFile } from '../support/media/speech-file.ts';
import { joe } from '../support/media/speaking.ts';

const INSTALLED = ['tiny-chat', 'test-piper'];

test.describe.configure({ timeout: 360_000 });

interface Stored {
  /** The records of all databases that hold bytes. */
  records: { key: string; bytes: number }[];
  /** URLs of the entries of all caches. */
  cached: string[];
  /** Names of files in the origin's private file system. */
  files: string[];
}

/** Runs in the page: reads every place that could hold a model's files. */
async function readStored(): Promise<Stored> {
  const { resultOf } = window;
  const bytesIn = (value: unknown): number => {
    if (value instanceof Blob) return value.size;
    if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return value.byteLength;
    if (typeof value !== 'object' || value === null) return 0;
    return Object.values(value).reduce((sum: number, member) => sum + bytesIn(member), 0);
  };
  const stored: Stored = { records: [], cached: [], files: [] };
  for (const { name = '' } of await indexedDB.databases()) {
    const db = await resultOf(indexedDB.open(name));
    for (const storeName of db.objectStoreNames) {
      const store = db.transaction(storeName).objectStore(storeName);
      const [keys, values] = await Promise.all([
        resultOf(store.getAllKeys()),
        resultOf(store.getAll()),
      ]);
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

/** Chats and speaks, so that both models are loaded from the store. */
async function useBoth(page: Page): Promise<void> {
  await complete(page, {});
  expect((await speechFile(page, joe('Hello.'))).length).toBeGreaterThan(10_000);
}

/** How often each of these paths was requested. */
function requestsOf({ requests }: TestSite, paths: string[]): number[] {
  return paths.map((path) => requests.filter((each) => each === path).length);
}

test('the files of chat models and voices are downloaded once and stored once', async ({
  fresh,
  closing,
}) => {
  const site = closing(await serveTestSite('/', INSTALLED));
  const packs = INSTALLED.map((pack) => ({ pack, files: packFiles(pack) }));
  const paths = packs.flatMap(({ pack, files }) =>
    files.map(({ path }) => `/packs/${pack}/${path}`),
  );
  const sizes = packs.flatMap(({ files }) => files.map(({ size }) => size));
  const page = await openStarted(fresh, site.url);
  await useBoth(page);
  // Now the same workers load the models again, and then other workers do.
  for (const model of [TINY, PIPER]) await unload(page, model);
  await useBoth(page);
  await restart(page);
  await useBoth(page);

  expect(requestsOf(site, paths)).toEqual(paths.map(() => 1));
  const { records, cached, files } = await page.evaluate(readStored);
  // Notes for the next load are not part of the model's files.
  const bytes = records.filter(({ key }) => !key.includes('".slashv1/')).map((each) => each.bytes);
  const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0);
  expect(sum(bytes)).toBe(sum(sizes));
  expect(cached.filter((url) => url.includes('packs/') || url.includes('model.'))).toEqual([]);
  expect(files).toEqual([]);
});
