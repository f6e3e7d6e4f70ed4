import { say } from '../support/chat.ts';
import { expect, openStarted, restart, test, TINY } from '../support/fixtures.ts';
import { HUB_MODEL, serveTestHub } from '../support/hub/hub.ts';
import type { ListedRepository } from '../support/hub/hub-search.ts';
import { install, listed, remove } from '../support/models.ts';
import { CAPITAL, PARIS } from '../support/prompts.ts';
import { serveTestSite } from '../support/site.ts';

test('a model of the hub is installed, answers, and works offline', async ({
  fresh,
  site,
  closing,
}) => {
  const hub = closing(await serveTestHub());
  const page = await openStarted(fresh, site.url, hub.options);
  const ask = () => say(page, CAPITAL, { model: HUB_MODEL });
  expect(await listed(page, HUB_MODEL)).toMatchObject({ state: 'available' });
  await expect(ask()).rejects.toThrow(/404 The model .* is not installed/);

  await install(page, HUB_MODEL);
  expect(await listed(page, HUB_MODEL)).toMatchObject({ state: 'installed' });
  expect(await ask()).toBe(PARIS);
  const { data } = await page.evaluate(() => window.client.models.list());
  expect(data).toContainEqual(
    expect.objectContaining({ id: HUB_MODEL, owned_by: 'mlc-ai', quantization: 'fp32' }),
  );

  await hub.close();
  await restart(page, hub.options);
  expect(await ask()).toBe(PARIS);

  await remove(page, HUB_MODEL);
  expect(await listed(page, HUB_MODEL)).toMatchObject({ state: 'available' });
  await expect(ask()).rejects.toThrow(/404/);
});

test('a model in 16 bits takes its 32-bit weights where the GPU lacks shader-f16', async ({
  fresh,
  site,
  closing,
}) => {
  const hub = closing(await serveTestHub());
  const page = await openStarted(fresh, site.url, hub.options);
  const hasF16 = await page.evaluate(async () =>
    (await navigator.gpu.requestAdapter())?.features.has('shader-f16'),
  );
  expect(hasF16).toBe(false);
  const model = HUB_MODEL.replace('q0f32', 'q0f16');
  expect(await listed(page, model)).toMatchObject({ obstacles: [], quantization: 'q0f32' });
  await install(page, model);
  expect(await say(page, CAPITAL, { model })).toBe(PARIS);
});

test('an install fails with the reason if the hub has no such repository or cannot be reached', async ({
  fresh,
  site,
  closing,
}) => {
  const hub = closing(await serveTestHub({ repository: 'mlc-ai/another' }));
  const page = await openStarted(fresh, site.url, hub.options);
  await expect(install(page, HUB_MODEL)).rejects.toThrow(`The hub answered 404`);
  await hub.close();
  await expect(install(page, HUB_MODEL)).rejects.toThrow(
    `The hub cannot be reached at ${hub.options.hub.slice(0, -1)}`,
  );
});

test('with autoInstall, a request waits for its model', async ({ fresh, site, closing }) => {
  const hub = closing(await serveTestHub());
  const page = await openStarted(fresh, site.url, { ...hub.options, autoInstall: true });
  expect(await say(page, CAPITAL, { model: HUB_MODEL })).toBe(PARIS);
});

test('a pack is added by its URL, stays after a reload, and is gone when it is removed', async ({
  fresh,
  closing,
}) => {
  const empty = closing(await serveTestSite('/', []));
  const page = await openStarted(fresh, empty.url);
  expect(await listed(page, TINY)).toBeUndefined();
  const host = closing(await serveTestSite('/', ['tiny-chat']));
  // The pack is on another origin, which must allow this one.
  host.intercept = (_request, response) => {
    response.setHeader('access-control-allow-origin', '*');
    return false;
  };
  const pack = `${host.url}packs/tiny-chat/`;
  expect(await page.evaluate((url) => window.v1.models.add(url), pack)).toBe(TINY);
  await install(page, TINY);
  await restart(page, { model: TINY });
  expect(await listed(page, TINY)).toMatchObject({ state: 'loaded', obstacles: [] });
  await remove(page, TINY);
  expect(await listed(page, TINY)).toBeUndefined();
});

test('the list says if the GPU lacks a feature that a model needs', async ({ ready }) => {
  const { hasF16, model } = await ready.evaluate(async () => {
    const adapter = await navigator.gpu.requestAdapter();
    const models = await window.v1.models.list();
    return {
      hasF16: adapter?.features.has('shader-f16'),
      model: models.find(({ quantization }) => quantization === 'q4f16_1'),
    };
  });
  expect(model?.obstacles.includes('shader-f16')).toBe(hasF16 === false);
});

const LISTED: ListedRepository[] = [
  {
    id: 'someone/tiny-GGUF',
    tags: ['gguf', 'license:apache-2.0'],
    downloads: 1234,
    likes: 5,
    gated: false,
  },
  {
    id: 'someone/Closed-GGUF',
    tags: ['gguf', 'license:llama3.2'],
    pipeline_tag: 'text-generation',
    downloads: 99_999,
    likes: 70,
    gated: 'manual',
  },
];

test('a site with another hub searches there', async ({ fresh, site, closing }) => {
  const hub = closing(await serveTestHub({ listed: LISTED }));
  const page = await openStarted(fresh, site.url, hub.options);
  const search = () => page.evaluate(() => window.v1.models.search({ query: 'closed' }));
  expect(await search()).toEqual([
    {
      id: 'someone/Closed-GGUF',
      task: 'chat',
      formats: ['gguf'],
      gated: true,
      downloads: 99_999,
      likes: 70,
      license: 'llama3.2',
    },
  ]);
  const filters = new Set(hub.searches.map((asked) => asked.get('filter')));
  expect(filters).toEqual(new Set(['gguf', 'mlc-llm']));
});
