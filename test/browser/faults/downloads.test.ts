import type { Page } from 'playwright/test';
import { randomOffsets } from '../../support/servers/file-source.ts';
import {
  begin,
  expect,
  openPage,
  openStarted,
  restart,
  test as base,
  TINY,
} from '../support/fixtures.ts';
import { say } from '../support/chat.ts';
import { flipStoredByte } from '../support/storage/flip-stored-byte.ts';
import { hold, HUB_MODEL, MORE, moreOf, serveTestHub, type TestHub } from '../support/hub/hub.ts';
import { listed } from '../support/models.ts';
import { CAPITAL, PARIS } from '../support/prompts.ts';
import { fillDisk } from '../support/storage/fill-disk.ts';

/** Bytes of the second shard: about three segments. */
const SIZE = 10_000_000;

declare global {
  interface Window {
    /** Bytes that the download still needs, by its last report. */
    missing: number;
  }
}

const test = base.extend<{ hub: TestHub }>({
  hub: async ({ closing }, use) => {
    await use(closing(await serveTestHub({ moreBytes: SIZE })));
  },
});

/** Installs the model; resolves with `done`, or with the code of the error. */
function install(page: Page): Promise<string> {
  return page.evaluate(async (model) => {
    try {
      await window.v1.models.install(model);
      return 'done';
    } catch (error) {
      return error instanceof window.slashv1.ApiError ? `${error.data.code}` : String(error);
    }
  }, HUB_MODEL);
}

function ask(page: Page, model = HUB_MODEL) {
  return say(page, CAPITAL, { model });
}

/** Resolves when this many bytes of the model are stored. */
async function untilStored(page: Page, bytes: number): Promise<void> {
  await expect
    .poll(async () => (await listed(page, HUB_MODEL))?.downloadedBytes ?? 0, { timeout: 60_000 })
    .toBeGreaterThanOrEqual(bytes);
}

test('a download whose network is cut 20 times costs at most 5 % more than the files', async ({
  fresh,
  site,
  hub,
}) => {
  const { bytes: more } = moreOf(hub);
  const sizes = [...hub.files.values()].map(({ bytes }) => bytes.length);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const page = await openStarted(fresh, site.url, hub.options);
  await page.evaluate(() =>
    window.v1.onProgress(({ loadedBytes, totalBytes }) => {
      window.missing = totalBytes - loadedBytes;
    }),
  );
  const cuts = randomOffsets(20, more.length, 20);
  // A cut loses what the browser has received and not yet given to the page. The test waits for that.
  const beforeCut = async (offset: number) => {
    await page.waitForFunction((bytes) => window.missing <= bytes, more.length - offset);
  };
  Object.assign(moreOf(hub), { cuts, beforeCut });
  expect(await install(page)).toBe('done');
  expect(cuts).toEqual([]);
  expect(hub.traffic.sent).toBeLessThanOrEqual(1.05 * total);
  expect(await ask(page)).toBe(PARIS);
});

test('a download continues where it was when its tab was reloaded', async ({
  fresh,
  site,
  hub,
}) => {
  const release = hold(hub, 9_000_000);
  const page = await openStarted(fresh, site.url, hub.options);
  void install(page).catch(() => undefined);
  await untilStored(page, 8_000_000);
  await restart(page, hub.options);
  release();
  expect(await listed(page, HUB_MODEL)).toMatchObject({ state: 'paused', embedded: false });
  expect(await install(page)).toBe('done');
  expect(hub.traffic.requests.at(-1)?.range).toMatch(/^bytes=8\d{6}-$/);
  expect(await listed(page, HUB_MODEL)).toMatchObject({ state: 'installed' });
});

test('two tabs that install one model share a download, and either can pause it', async ({
  fresh,
  site,
  hub,
}) => {
  const release = hold(hub, 9_000_000);
  const first = await openStarted(fresh, site.url, hub.options);
  const second = await openStarted(fresh, site.url, hub.options);
  const installing = [install(first), install(second)];
  await untilStored(second, 8_000_000);
  expect(await listed(first, HUB_MODEL)).toMatchObject({ state: 'downloading' });
  await second.evaluate((model) => window.v1.models.pause(model), HUB_MODEL);
  expect(await Promise.all(installing)).toEqual(['download_paused', 'download_paused']);
  const state = async () => (await listed(first, HUB_MODEL))?.state;
  await expect.poll(state, { timeout: 60_000 }).toBe('paused');
  release();
  expect(await Promise.all([install(first), install(second)])).toEqual(['done', 'done']);
  const requests = hub.requests.filter((path) => path === `/cdn/${MORE}`);
  expect(requests).toHaveLength(2);
});

test('when the tab that hosts a download closes, another tab continues it', async ({
  fresh,
  site,
  hub,
}) => {
  const release = hold(hub, 9_000_000);
  const host = await openStarted(fresh, site.url, hub.options);
  const other = await openStarted(fresh, site.url, hub.options);
  const installing = install(other);
  await untilStored(other, 8_000_000);
  await host.close();
  release();
  expect(await installing).toBe('done');
  expect(hub.traffic.requests.at(-1)?.range).toMatch(/^bytes=8\d{6}-$/);
  expect(await ask(other)).toBe(PARIS);
});

test('a shard that arrives damaged is downloaded again', async ({ fresh, site, hub }) => {
  const shard = hub.files.get('params_shard_0.bin');
  const good = shard?.bytes ?? Buffer.alloc(0);
  const bad = Buffer.from(good);
  bad[1000] = (bad[1000] ?? 0) ^ 1;
  const isShard = (path: string) => path === '/cdn/params_shard_0.bin';
  Object.defineProperty(shard, 'bytes', {
    // Only the first answer is damaged.
    get: () => (hub.requests.filter(isShard).length > 1 ? good : bad),
  });
  const page = await openStarted(fresh, site.url, hub.options);
  expect(await install(page)).toBe('done');
  expect(hub.requests.filter(isShard)).toHaveLength(2);
  expect(await ask(page)).toBe(PARIS);
});

test('a shard that is damaged on the disk is downloaded again', async ({ fresh, site, hub }) => {
  const page = await openStarted(fresh, site.url, hub.options);
  expect(await install(page)).toBe('done');
  await page.evaluate(flipStoredByte, [HUB_MODEL, 'params_shard_0.bin'] as const);
  hub.requests.length = 0;
  expect(await ask(page)).toBe(PARIS);
  expect(hub.requests).toContain('/cdn/params_shard_0.bin');
  expect(hub.requests).not.toContain(`/cdn/${MORE}`);
});

test('if the disk fills up during a download, the other models still answer', async ({
  fresh,
  site,
  hub,
}) => {
  const release = hold(hub, 9_000_000);
  const page = await openPage(fresh, site.url);
  const devtools = await fresh.newCDPSession(page);
  const { origin } = new URL(site.url);
  await devtools.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 40_000_000 });
  await begin(page, hub.options);
  expect(await ask(page, TINY)).toBe(PARIS);
  const installing = install(page);
  await untilStored(page, 4_000_000);
  expect(await page.evaluate(fillDisk)).toBe('QuotaExceededError');
  release();
  expect(await installing).toBe('storage_full');
  expect(await ask(page, TINY)).toBe(PARIS);
  expect(await listed(page, HUB_MODEL)).toMatchObject({ state: 'paused' });
  // When there is space again, the download continues where it was.
  await page.evaluate(() => indexedDB.deleteDatabase('filler'));
  await expect.poll(() => install(page), { timeout: 60_000 }).toBe('done');
  expect(hub.traffic.requests.at(-1)?.range).toMatch(/^bytes=[4-9]\d{6}-$/);
  expect(await ask(page)).toBe(PARIS);
});

test('if the database is deleted during a download, the page makes a new one and continues', async ({
  fresh,
  site,
  hub,
}) => {
  const page = await openStarted(fresh, site.url, hub.options);
  const release = hold(hub, 9_000_000);
  const installing = install(page);
  await untilStored(page, 4_000_000);
  await page.evaluate(async () => {
    await window.resultOf(indexedDB.deleteDatabase('slashv1:/'));
  });
  release();
  expect(await installing).toBe('done');
  await expect.poll(() => ask(page, TINY).catch(String), { timeout: 60_000 }).toBe(PARIS);
  expect(await ask(page)).toBe(PARIS);
});
