import { crashTab } from '../support/faults.ts';
import { say } from '../support/chat.ts';
import {
  begin,
  expect,
  openPage,
  openStarted,
  restart,
  SMOLLM2,
  test,
  TINY,
} from '../support/fixtures.ts';
import { GREETING } from '../support/prompts.ts';
import { serveAfter } from '../support/sites/serve-after.ts';

test('a first visit is served without a reload', async ({ fresh, site }) => {
  const page = await openPage(fresh, site.url);
  expect(await page.evaluate(() => navigator.serviceWorker.controller)).toBeNull();
  await begin(page);
  const { data } = await page.evaluate(() => window.client.models.list());
  expect(data.map(({ id }) => id)).toContain(TINY);
});

test('a page that was loaded past the service worker is served too', async ({ fresh, site }) => {
  const page = await openStarted(fresh, site.url);
  // A hard reload does this: the browser uses the network and gives the page no controller.
  const protocol = await fresh.newCDPSession(page);
  await protocol.send('Page.reload', { ignoreCache: true });
  await page.waitForFunction(() => 'begin' in window && !('v1' in window));
  expect(await page.evaluate(() => navigator.serviceWorker.controller)).toBeNull();
  await begin(page);
  const { data } = await page.evaluate(() => window.client.models.list());
  expect(data.map(({ id }) => id)).toContain(TINY);
});

test('loading reports its stages, with bytes, however late the service worker is', async ({
  fresh,
  site,
}) => {
  serveAfter(site, 'sw.js', 'packs/tiny-chat/tiny-chat-F32.gguf');
  const page = await openPage(fresh, site.url);
  const reports = await page.evaluate(async (model) => {
    const all: { stage: string; loadedBytes: number; totalBytes: number }[] = [];
    const ready = Promise.withResolvers<void>();
    await window.begin({
      model,
      onProgress: (progress) => {
        all.push(progress);
        if (progress.stage === 'ready') ready.resolve();
      },
    });
    await ready.promise;
    return all;
  }, TINY);
  const stages = [...new Set(reports.map(({ stage }) => stage))];
  expect(stages).toEqual(['download', 'installed', 'load', 'ready']);
  const downloads = reports.filter(({ stage }) => stage === 'download');
  expect(downloads.at(-1)?.loadedBytes).toBe(downloads.at(-1)?.totalBytes);
  expect(downloads.map((report) => report.loadedBytes)).toEqual(
    downloads.map((report) => report.loadedBytes).sort((a, b) => a - b),
  );
});

test('a second visit downloads no model again', async ({ fresh, site }) => {
  const downloadsAfter = (count: number) =>
    site.requests.slice(count).filter((path) => /params|gguf|tokenizer/.test(path));
  const atFirst = site.requests.length;
  const page = await openStarted(fresh, site.url, { model: TINY });
  expect(downloadsAfter(atFirst)).not.toEqual([]);
  const atSecond = site.requests.length;
  await restart(page, { model: TINY });
  expect(downloadsAfter(atSecond)).toEqual([]);
});

test('when the tab that hosts the engine closes, another tab takes over', async ({
  fresh,
  site,
}) => {
  const first = await openStarted(fresh, site.url, { model: TINY });
  const second = await openStarted(fresh, site.url);
  await first.close();
  expect(await say(second, 'Hello!')).toBe(GREETING);
});

test('the catalog lists the site’s own packs first, in their order', async ({ fresh, site }) => {
  const page = await openStarted(fresh, site.url);
  const models = await page.evaluate(() => window.v1.models.list());
  expect(models.slice(0, 3).map(({ id, state }) => [id, state])).toEqual([
    [TINY, 'embedded'],
    [SMOLLM2, 'embedded'],
    [expect.stringMatching(/^mlc-ai\//), 'available'],
  ]);
});

test('the session key of a page that crashed is refused at once, while another tab lives', async ({
  fresh,
  site,
}) => {
  const first = await openStarted(fresh, site.url);
  const apiKey = await first.evaluate(() => window.v1.apiKey);
  const second = await openStarted(fresh, site.url);
  const status = () =>
    second.evaluate(async (key) => {
      const headers = { authorization: `Bearer ${key}` };
      return (await fetch(`${window.v1.baseURL}/models`, { headers })).status;
    }, apiKey);
  expect(await status()).toBe(200);
  await crashTab(first);
  expect(await status()).toBe(401);
});
