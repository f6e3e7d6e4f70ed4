import { prebuiltAppConfig, modelLibURLPrefix } from '@mlc-ai/web-llm';
import { expect, openPage, reloadPage, test, TINY } from './support/fixtures.ts';
import { serveTestHub } from './support/hub.ts';
import { serveTestSite } from './support/site.ts';

const MODEL = 'mlc-ai/SmolLM2-135M-Instruct-q0f32-MLC';
const LIBRARY = (
  prebuiltAppConfig.model_list.find(({ model }) => model.endsWith(MODEL))?.model_lib ?? ''
).replace(modelLibURLPrefix, '');

test('a model of the hub is installed, answers, and is there offline', async ({ fresh, site }) => {
  const hub = await serveTestHub(MODEL, LIBRARY);
  const options = { hub: hub.url, libraries: hub.libraries };
  const page = await openPage(fresh, site.url);
  const ask = () =>
    page.evaluate(
      (model) =>
        window.client.chat.completions.create({
          model,
          messages: [{ role: 'user', content: 'What is the capital of France?' }],
          temperature: 0,
        }),
      MODEL,
    );
  const state = () =>
    page.evaluate(
      async (id) => (await window.v1.models.list()).find((model) => model.id === id)?.state,
      MODEL,
    );
  try {
    await page.evaluate((given) => window.begin(given), options);
    expect(await state()).toBe('available');
    await expect(ask()).rejects.toThrow(/404 The model .* is not installed/);

    await page.evaluate((model) => window.v1.models.install(model), MODEL);
    expect(await state()).toBe('installed');
    expect((await ask()).choices[0]?.message.content).toBe('The capital of France is Paris.');
    const listed = await page.evaluate(() => window.client.models.list());
    expect(listed.data).toContainEqual(
      expect.objectContaining({ id: MODEL, owned_by: 'mlc-ai', quantization: 'fp32' }),
    );

    await hub.close();
    await reloadPage(page);
    await page.evaluate((given) => window.begin(given), options);
    expect((await ask()).choices[0]?.message.content).toBe('The capital of France is Paris.');

    await page.evaluate((model) => window.v1.models.remove(model), MODEL);
    expect(await state()).toBe('available');
    await expect(ask()).rejects.toThrow(/404/);
  } finally {
    await hub.close().catch(() => undefined);
  }
});

test('a hub that cannot be reached, and a repository it does not have', async ({ fresh, site }) => {
  const hub = await serveTestHub('mlc-ai/another', 'another.wasm');
  const page = await openPage(fresh, site.url);
  const install = () => page.evaluate((model) => window.v1.models.install(model), MODEL);
  await page.evaluate((given) => window.begin(given), { hub: hub.url, libraries: hub.libraries });
  await expect(install()).rejects.toThrow(`The hub answered 404`);
  await hub.close();
  await expect(install()).rejects.toThrow(`The hub cannot be reached at ${hub.url.slice(0, -1)}`);
});

test('with autoInstall a request waits for its model', async ({ fresh, site }) => {
  const hub = await serveTestHub(MODEL, LIBRARY);
  const page = await openPage(fresh, site.url);
  const options = { hub: hub.url, libraries: hub.libraries, autoInstall: true };
  await page.evaluate((given) => window.begin(given), options);
  const answer = await page.evaluate(async (model) => {
    const messages = [{ role: 'user' as const, content: 'What is the capital of France?' }];
    const { choices } = await window.client.chat.completions.create({
      ...{ model, messages, temperature: 0 },
    });
    return choices[0]?.message.content;
  }, MODEL);
  expect(answer).toBe('The capital of France is Paris.');
  await hub.close();
});

test('a pack is added by its URL, stays after a reload, and goes when it is removed', async ({
  fresh,
  site,
}) => {
  const empty = await serveTestSite('/', []);
  const page = await openPage(fresh, empty.url);
  const ids = () => page.evaluate(async () => (await window.v1.models.list()).map(({ id }) => id));
  await page.evaluate(() => window.begin());
  expect(await ids()).not.toContain(TINY);
  // Of another origin, which allows it.
  site.intercept = (_request, response) => {
    response.setHeader('access-control-allow-origin', '*');
    return false;
  };
  const pack = `${site.url}packs/tiny-chat/`;
  expect(await page.evaluate((url) => window.v1.models.add(url), pack)).toBe(TINY);
  await page.evaluate((model) => window.v1.models.install(model), TINY);
  await reloadPage(page);
  await page.evaluate((model) => window.begin({ model }), TINY);
  const find = async (model: string) =>
    (await window.v1.models.list()).find(({ id }) => id === model);
  expect(await page.evaluate(find, TINY)).toMatchObject({ state: 'loaded', obstacles: [] });
  await page.evaluate((model) => window.v1.models.remove(model), TINY);
  expect(await ids()).not.toContain(TINY);
  site.intercept = undefined;
  await empty.close();
});

test('a model says what this GPU lacks for it', async ({ ready }) => {
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
