import { expect, openPage, reloadPage, SMOLLM2, test, TINY } from './support/fixtures.ts';

test('a first visit is served without a reload', async ({ fresh, site }) => {
  const page = await openPage(fresh, site.url);
  expect(await page.evaluate(() => navigator.serviceWorker.controller)).toBeNull();
  await page.evaluate(() => window.begin());
  const { data } = await page.evaluate(() => window.client.models.list());
  expect(data.map(({ id }) => id)).toContain(TINY);
});

test('a page that was loaded past the service worker is served too', async ({ fresh, site }) => {
  const page = await openPage(fresh, site.url);
  await page.evaluate(() => window.begin());
  // What a hard reload does: the browser asks the network and gives the page no controller.
  const protocol = await fresh.newCDPSession(page);
  await protocol.send('Page.reload', { ignoreCache: true });
  await page.waitForFunction(() => 'begin' in window && !('v1' in window));
  expect(await page.evaluate(() => navigator.serviceWorker.controller)).toBeNull();
  await page.evaluate(() => window.begin());
  const { data } = await page.evaluate(() => window.client.models.list());
  expect(data.map(({ id }) => id)).toContain(TINY);
});

test('loading reports its stages, with bytes', async ({ fresh, site }) => {
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

test('a second visit downloads nothing', async ({ fresh, site }) => {
  const page = await openPage(fresh, site.url);
  const downloadsAfter = (count: number) =>
    site.requests.slice(count).filter((path) => /params|wasm|tokenizer/.test(path));
  const atFirst = site.requests.length;
  await page.evaluate((model) => window.begin({ model }), TINY);
  expect(downloadsAfter(atFirst)).not.toEqual([]);
  const atSecond = site.requests.length;
  await reloadPage(page);
  await page.evaluate((model) => window.begin({ model }), TINY);
  expect(downloadsAfter(atSecond)).toEqual([]);
});

test('when the tab that hosts the engine closes, another takes over', async ({ fresh, site }) => {
  const first = await openPage(fresh, site.url);
  await first.evaluate((model) => window.begin({ model }), TINY);
  const second = await openPage(fresh, site.url);
  await second.evaluate(() => window.begin());
  await first.close();
  const completion = await second.evaluate(
    (model) =>
      window.client.chat.completions.create({
        model,
        messages: [{ role: 'user', content: 'Hello!' }],
        temperature: 0,
      }),
    TINY,
  );
  expect(completion.choices[0]?.message.content).toBe('Hello! How can I help you?');
});

test('the catalog begins with the site’s own packs, in its order', async ({ fresh, site }) => {
  const page = await openPage(fresh, site.url);
  await page.evaluate(() => window.begin());
  const models = await page.evaluate(() => window.v1.models.list());
  expect(models.slice(0, 3).map(({ id, state }) => [id, state])).toEqual([
    [TINY, 'embedded'],
    [SMOLLM2, 'embedded'],
    [expect.stringMatching(/^mlc-ai\//), 'available'],
  ]);
});

test('session keys end with their page', async ({ fresh, site }) => {
  const first = await openPage(fresh, site.url);
  const { apiKey } = await first.evaluate(() => window.begin());
  const second = await openPage(fresh, site.url);
  await second.evaluate(() => window.begin());
  const status = () =>
    second.evaluate(async (key) => {
      const headers = { authorization: `Bearer ${key}` };
      return (await fetch(`${window.v1.baseURL}/models`, { headers })).status;
    }, apiKey);
  expect(await status()).toBe(200);
  await first.close();
  await reloadPage(second);
  await second.evaluate(() => window.begin());
  expect(await status()).toBe(401);
});
