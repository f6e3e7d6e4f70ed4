import { modelLibURLPrefix, prebuiltAppConfig } from '@mlc-ai/web-llm';
import type { BrowserContext, Page } from 'playwright/test';
import { randomOffsets, type FileSource } from '../../support/file-source.ts';
import { expect, openPage, test as base, TINY } from '../support/fixtures.ts';
import { flipStoredByte } from '../support/flip-stored-byte.ts';
import { MORE, serveTestHub, type TestHub } from '../support/hub.ts';

const MODEL = 'mlc-ai/SmolLM2-135M-Instruct-q0f32-MLC';
const LIBRARY = (
  prebuiltAppConfig.model_list.find(({ model }) => model.endsWith(MODEL))?.model_lib ?? ''
).replace(modelLibURLPrefix, '');
/** Three segments, about. */
const SIZE = 10_000_000;
const PARIS = 'The capital of France is Paris.';

declare global {
  interface Window {
    /** Bytes that the download lacks, as it was reported last. */
    missing: number;
  }
}

const test = base.extend<{ hub: TestHub }>({
  hub: async ({}, use) => {
    const hub = await serveTestHub(MODEL, LIBRARY, { moreBytes: SIZE });
    await use(hub);
    await hub.close().catch(() => undefined);
  },
});

/** A page in which the API runs, with this hub. */
async function begin(profile: BrowserContext, url: string, hub: TestHub): Promise<Page> {
  const page = await openPage(profile, url);
  await page.evaluate((given) => window.begin(given), options(hub));
  return page;
}

function options({ url, libraries }: TestHub) {
  return { hub: url, libraries };
}

/** Installs the model; resolves with `done`, or the code of what it failed with. */
function install(page: Page, model = MODEL): Promise<string> {
  return page.evaluate(async (id) => {
    try {
      await window.v1.models.install(id);
      return 'done';
    } catch (error) {
      return error instanceof window.slashv1.ApiError ? `${error.data.code}` : String(error);
    }
  }, model);
}

function ask(page: Page, model = MODEL): Promise<string | null | undefined> {
  return page.evaluate(async (id) => {
    const messages = [{ role: 'user' as const, content: 'What is the capital of France?' }];
    const answer = await window.client.chat.completions.create({
      ...{ model: id, messages, temperature: 0 },
    });
    return answer.choices[0]?.message.content;
  }, model);
}

async function listed(page: Page, model = MODEL) {
  const all = await page.evaluate(() => window.v1.models.list());
  return all.find(({ id }) => id === model);
}

/** Lets the large file's answers wait at an offset until `release` is called. */
function hold(hub: TestHub, at: number): () => void {
  const file = large(hub);
  const { promise, resolve } = Promise.withResolvers<void>();
  file.hold = { at, until: promise };
  return () => {
    delete file.hold;
    resolve();
  };
}

function large({ files }: TestHub): FileSource {
  const file = files.get(MORE);
  if (!file) throw new Error(`The hub has no ${MORE}.`);
  return file;
}

/** Resolves when this much of the model is stored. */
async function untilStored(page: Page, bytes: number): Promise<void> {
  await expect
    .poll(async () => (await listed(page))?.downloadedBytes ?? 0, { timeout: 60_000 })
    .toBeGreaterThanOrEqual(bytes);
}

test('a network cut at 20 random offsets costs hardly more than the file', async ({
  fresh,
  site,
  hub,
}) => {
  const { bytes: more } = large(hub);
  const sizes = [...hub.files.values()].map(({ bytes }) => bytes.length);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const page = await begin(fresh, site.url, hub);
  await page.evaluate(() =>
    window.v1.onProgress(({ loadedBytes, totalBytes }) => {
      window.missing = totalBytes - loadedBytes;
    }),
  );
  const cuts = randomOffsets(20, more.length, 20);
  // What a browser has received and not handed over is lost with the connection, and only then.
  const beforeCut = async (offset: number) => {
    await page.waitForFunction((bytes) => window.missing <= bytes, more.length - offset);
  };
  Object.assign(large(hub), { cuts, beforeCut });
  expect(await install(page)).toBe('done');
  expect(cuts).toEqual([]);
  expect(hub.traffic.sent).toBeLessThanOrEqual(1.05 * total);
  expect(await ask(page)).toBe(PARIS);
});

test('a download goes on where it was when its tab was reloaded', async ({ fresh, site, hub }) => {
  const release = hold(hub, 9_000_000);
  const page = await begin(fresh, site.url, hub);
  void install(page).catch(() => undefined);
  await untilStored(page, 8_000_000);
  await page.reload();
  release();
  await page.waitForFunction(() => 'begin' in window);
  await page.evaluate((given) => window.begin(given), options(hub));
  expect(await listed(page)).toMatchObject({ state: 'paused', embedded: false });
  expect(await install(page)).toBe('done');
  expect(hub.traffic.requests.at(-1)?.range).toMatch(/^bytes=8\d{6}-$/);
  expect(await listed(page)).toMatchObject({ state: 'installed' });
});

test('two tabs that install at once share one download, which either may stop', async ({
  fresh,
  site,
  hub,
}) => {
  const release = hold(hub, 9_000_000);
  const [first, second] = [await begin(fresh, site.url, hub), await begin(fresh, site.url, hub)];
  const installing = [install(first), install(second)];
  await untilStored(second, 8_000_000);
  expect(await listed(first)).toMatchObject({ state: 'downloading' });
  await second.evaluate((id) => window.v1.models.pause(id), MODEL);
  expect(await Promise.all(installing)).toEqual(['download_paused', 'download_paused']);
  const state = async () => (await listed(first))?.state;
  await expect.poll(state, { timeout: 60_000 }).toBe('paused');
  release();
  expect(await Promise.all([install(first), install(second)])).toEqual(['done', 'done']);
  const requests = hub.requests.filter((path) => path === `/cdn/${MORE}`);
  expect(requests).toHaveLength(2);
});

test('when the tab that hosts a download closes, another goes on with it', async ({
  fresh,
  site,
  hub,
}) => {
  const release = hold(hub, 9_000_000);
  const host = await begin(fresh, site.url, hub);
  const other = await begin(fresh, site.url, hub);
  const installing = install(other);
  await untilStored(other, 8_000_000);
  await host.close();
  release();
  expect(await installing).toBe('done');
  expect(hub.traffic.requests.at(-1)?.range).toMatch(/^bytes=8\d{6}-$/);
  expect(await ask(other)).toBe(PARIS);
});

test('a flipped byte in a downloaded shard is found and fetched again', async ({
  fresh,
  site,
  hub,
}) => {
  const shard = hub.files.get('params_shard_0.bin');
  const good = shard?.bytes ?? Buffer.alloc(0);
  const bad = Buffer.from(good);
  bad[1000] = (bad[1000] ?? 0) ^ 1;
  const asked = hub.requests.length;
  Object.defineProperty(shard, 'bytes', {
    // The first answer only.
    get: () => (hub.requests.slice(asked).filter(isShard).length > 1 ? good : bad),
  });
  const isShard = (path: string) => path === '/cdn/params_shard_0.bin';
  const page = await begin(fresh, site.url, hub);
  expect(await install(page)).toBe('done');
  expect(hub.requests.filter(isShard)).toHaveLength(2);
  expect(await ask(page)).toBe(PARIS);
});

test('a flipped byte in a stored shard is found and fetched again', async ({
  fresh,
  site,
  hub,
}) => {
  const page = await begin(fresh, site.url, hub);
  expect(await install(page)).toBe('done');
  await page.evaluate(flipStoredByte, [MODEL, 'params_shard_0.bin'] as const);
  hub.requests.length = 0;
  expect(await ask(page)).toBe(PARIS);
  expect(hub.requests).toContain('/cdn/params_shard_0.bin');
  expect(hub.requests).not.toContain(`/cdn/${MORE}`);
});

test('a full disk in the middle of a download leaves the other models usable', async ({
  fresh,
  site,
  hub,
}) => {
  const release = hold(hub, 9_000_000);
  const page = await openPage(fresh, site.url);
  const devtools = await fresh.newCDPSession(page);
  const { origin } = new URL(site.url);
  await devtools.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 40_000_000 });
  await page.evaluate((given) => window.begin(given), options(hub));
  expect(await ask(page, TINY)).toBe(PARIS);
  const installing = install(page);
  await untilStored(page, 4_000_000);
  expect(await page.evaluate(fillDisk)).toBe('QuotaExceededError');
  release();
  expect(await installing).toBe('storage_full');
  expect(await ask(page, TINY)).toBe(PARIS);
  expect(await listed(page)).toMatchObject({ state: 'paused' });
  // With space again, it goes on where it was.
  await page.evaluate(() => indexedDB.deleteDatabase('filler'));
  await expect.poll(() => install(page), { timeout: 60_000 }).toBe('done');
  expect(hub.traffic.requests.at(-1)?.range).toMatch(/^bytes=[4-9]\d{6}-$/);
  expect(await ask(page)).toBe(PARIS);
});

/** In the page: stores things until there is no space for more; returns the name of the error. */
async function fillDisk(): Promise<string> {
  const db = await new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open('filler', 1);
    request.onupgradeneeded = () => request.result.createObjectStore('blobs');
    request.onsuccess = () => resolve(request.result);
    request.onerror = reject;
  });
  db.onversionchange = () => db.close();
  for (let index = 0; ; index++) {
    const transaction = db.transaction('blobs', 'readwrite');
    transaction.objectStore('blobs').put(new Blob([new Uint8Array(100_000)]), index);
    const error = await new Promise<DOMException | null>((resolve) => {
      transaction.oncomplete = () => resolve(null);
      transaction.onabort = () => resolve(transaction.error);
    });
    if (error) return error.name;
  }
}

test('a database deleted under a running page is made again, and the page goes on', async ({
  fresh,
  site,
  hub,
}) => {
  const page = await begin(fresh, site.url, hub);
  const release = hold(hub, 9_000_000);
  const installing = install(page);
  await untilStored(page, 4_000_000);
  await page.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const request = indexedDB.deleteDatabase('slashv1:/');
        request.onsuccess = resolve;
        request.onerror = reject;
      }),
  );
  release();
  expect(await installing).toBe('done');
  await expect.poll(() => ask(page, TINY).catch(String), { timeout: 60_000 }).toBe(PARIS);
  expect(await ask(page)).toBe(PARIS);
});
