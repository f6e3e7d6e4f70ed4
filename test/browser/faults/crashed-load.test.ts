import type { BrowserContext, Page } from 'playwright/test';
import { refusal, say } from '../support/chat.ts';
import { crashTab, killWorker } from '../support/faults.ts';
import type { StartOptions } from '../../../src/index.ts';
import { expect, openStarted, test, TINY, type TestSite } from '../support/fixtures.ts';
import { install, listed, load } from '../support/models.ts';
import { serveTestSite } from '../support/site.ts';
import { engineOf } from '../support/browser/tabs.ts';

// The model is loaded several times, which is slow on a busy machine.
test.describe.configure({ timeout: 360_000 });

/** A page with a load of tiny-chat under way that never ends. */
async function openLoading(profile: BrowserContext, site: TestSite): Promise<Page> {
  const page = await openStarted(profile, site.url);
  await install(page, TINY);
  await page.evaluate((model) => {
    window.loading = new Promise((resolve) => {
      window.v1.onProgress((progress) => {
        if (progress.model === model && progress.stage === 'load') resolve();
      });
    });
  }, TINY);
  await engineOf(page).evaluate(() => {
    GPUAdapter.prototype.requestDevice = () => new Promise(() => undefined);
  });
  await page.evaluate((model) => {
    window.v1.models.load(model).catch(() => undefined);
    return window.loading;
  }, TINY);
  return page;
}

declare global {
  interface Window {
    /** Resolves when the load has begun. */
    loading: Promise<void>;
  }
}

/** The error of a load, as the page API throws it. */
function loadError(page: Page) {
  return page.evaluate(async (model) => {
    const failure: unknown = await window.v1.models.load(model).catch((error: unknown) => error);
    return failure instanceof window.slashv1.ApiError ? failure.data : failure;
  }, TINY);
}

test('a load that ended the tab is listed, and loads again for whoever asks', async ({
  fresh,
  site,
}) => {
  await crashTab(await openLoading(fresh, site));
  const page = await openStarted(fresh, site.url);
  expect(await listed(page, TINY)).toMatchObject({ obstacles: ['crashed'], state: 'installed' });
  expect(await say(page, 'Count to 5.', { max_tokens: 4 })).toBeTruthy();
  expect(await listed(page, TINY)).toMatchObject({ obstacles: [], state: 'loaded' });
});

test('a page that starts with the model does not repeat a load that ended the tab', async ({
  fresh,
  site,
}) => {
  await crashTab(await openLoading(fresh, site));
  const page = await openStarted(fresh, site.url);
  const start = () =>
    page.evaluate(
      (model) =>
        window.slashv1.start({ model }).then(
          () => 'started',
          (error: unknown) => String(error),
        ),
      TINY,
    );
  expect(await start()).toContain(`models.load('${TINY}') tries it once more`);
  expect(await listed(page, TINY)).toMatchObject({ obstacles: ['crashed'], state: 'installed' });
  await load(page, TINY);
  expect(await start()).toBe('started');
});

test('the second time a load is refused, unless the page forces it', async ({ fresh, site }) => {
  for (const _ of [1, 2]) await crashTab(await openLoading(fresh, site));
  const page = await openStarted(fresh, site.url);
  expect(await loadError(page)).toMatchObject({
    code: 'load_crashed',
    message: expect.stringContaining('2 times in a row'),
  });
  expect(await refusal(page, {})).toMatchObject({ status: 500, code: 'load_crashed' });
  await page.evaluate((model) => window.v1.models.load(model, { anyway: true }), TINY);
  expect(await listed(page, TINY)).toMatchObject({ obstacles: [], state: 'loaded' });
});

for (const [way, leave] of [
  ['closed', (page: Page) => page.close()],
  ['reloaded', (page: Page) => page.reload()],
  ['left', (page: Page) => page.goto('about:blank')],
] as const) {
  test(`a tab that is ${way} during a load has not crashed`, async ({ fresh, site }) => {
    await leave(await openLoading(fresh, site));
    const page = await openStarted(fresh, site.url);
    expect(await listed(page, TINY)).toMatchObject({ obstacles: [] });
  });
}

test('a load that ends the engine’s worker is not repeated by itself', async ({ fresh, site }) => {
  const page = await openLoading(fresh, site);
  const failure = loadError(page);
  await killWorker(engineOf(page));
  expect(await failure).toMatchObject({ code: 'load_crashed' });
  expect(await listed(page, TINY)).toMatchObject({ obstacles: ['crashed'] });
  await load(page, TINY);
  expect(await listed(page, TINY)).toMatchObject({ obstacles: [] });
});

test('another tab that takes over does not repeat the load that ended the first', async ({
  fresh,
  site,
}) => {
  const first = await openLoading(fresh, site);
  const second = await openStarted(fresh, site.url);
  const failure = loadError(second);
  await crashTab(first);
  expect(await failure).toMatchObject({ code: 'load_crashed' });
  await load(second, TINY);
  expect(await listed(second, TINY)).toMatchObject({ state: 'loaded', obstacles: [] });
});

test('a model on the CPU whose load ended the tab is loaded with a shorter context', async ({
  fresh,
  closing,
}) => {
  const site = closing(await serveTestSite('/', ['tiny-chat']));
  const options: StartOptions = { engines: ['llamacpp'] };
  const loading = await openStarted(fresh, site.url, options);
  await install(loading, TINY);
  const asked = new Promise<void>((resolve) => {
    site.intercept = ({ url }) => {
      const isProgram = url?.startsWith('/llamacpp') === true && url.endsWith('.wasm');
      // This request is never answered, so the load never ends.
      if (isProgram) resolve();
      return isProgram;
    };
  });
  void load(loading, TINY).catch(() => undefined);
  await asked;
  await crashTab(loading);
  site.intercept = undefined;
  const page = await openStarted(fresh, site.url, options);
  expect(await listed(page, TINY)).toMatchObject({ obstacles: ['crashed'], contextLength: 512 });
  expect(await say(page, 'Count to 5.', { max_tokens: 9 })).toBe('1 2 3 4 5');
  expect(await listed(page, TINY)).toMatchObject({ obstacles: [], contextLength: 512 });
});
