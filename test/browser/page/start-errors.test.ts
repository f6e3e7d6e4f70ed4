import type { Page } from 'playwright/test';
import { SERVICE_WORKER_API_URL } from '../../../src/core/site/service-worker-files.ts';
import type { StartOptions } from '../../../src/index.ts';
import { begin, expect, openPage, test as base, TINY, type TestSite } from '../support/fixtures.ts';
import { listed } from '../support/models.ts';
import { replaceFile, serveTestSite } from '../support/site.ts';
import { startFailure } from '../support/browser/start-failure.ts';

/** Each test has its own site, and a page of it in which the API does not run yet. */
const test = base.extend<{ ownSite: TestSite; page: Page }>({
  ownSite: async ({ closing }, use) => {
    await use(closing(await serveTestSite('/', ['tiny-chat'])));
  },
  page: async ({ fresh, ownSite }, use) => {
    await use(await openPage(fresh, ownSite.url));
  },
});

test('if only WebLLM is allowed, the error says that there is no WebGPU and names browsers that have it', async ({
  page,
}) => {
  await page.evaluate(() => Object.defineProperty(navigator, 'gpu', { value: undefined }));
  const [code, message] = await startFailure(page, { engines: ['webllm'] });
  expect(code).toBe('webgpu_unavailable');
  expect(message).toMatch(/WebGPU.*Chrome/s);
});

test('an insecure page is told to use https', async ({ page }) => {
  await page.evaluate(() => Object.defineProperty(window, 'isSecureContext', { value: false }));
  const [code, message] = await startFailure(page);
  expect(code).toBe('insecure_context');
  expect(message).toContain('https');
});

test('the error of a missing sw.js names it', async ({ page }) => {
  const [code, message] = await startFailure(page, { base: 'nowhere/' });
  expect(code).toBe('service_worker_failed');
  expect(message).toContain('nowhere/sw.js');
});

test('so does that of a missing part of it', async ({ ownSite, page }) => {
  ownSite.intercept = replaceFile(`/${SERVICE_WORKER_API_URL}`);
  const [code, message] = await startFailure(page);
  expect(code).toBe('service_worker_failed');
  expect(message).toMatch(/sw\.js failed to install.*sw-api\.js/);
});

test('the error of an unknown model names it', async ({ page }) => {
  const [code, message] = await startFailure(page, { model: 'nobody/nothing' });
  expect(code).toBe('model_failed');
  expect(message).toContain('nobody/nothing');
});

const WEIGHTS = '/packs/tiny-chat/tiny-chat-F32.gguf';

test('the error of a missing file of weights names it, and the model loads once it is there', async ({
  ownSite,
  page,
}) => {
  ownSite.intercept = replaceFile(WEIGHTS);
  const [code, message] = await startFailure(page, { model: TINY });
  expect(code).toBe('model_failed');
  expect(message).toContain('tiny-chat-F32.gguf');
  ownSite.intercept = undefined;
  await begin(page, { model: TINY });
  expect(await listed(page, TINY)).toMatchObject({ state: 'loaded' });
});

test('weights that do not match the manifest are refused', async ({ ownSite, page }) => {
  ownSite.intercept = replaceFile(WEIGHTS, 'not the weights');
  const [, message] = await startFailure(page, { model: TINY });
  expect(message).toContain('is not the expected file');
});

test('the error of a pack without a manifest names the pack', async ({ ownSite, page }) => {
  ownSite.intercept = replaceFile('/packs/tiny-chat/manifest.json');
  const [code, message] = await startFailure(page);
  expect(code).toBe('engine_failed');
  expect(message).toContain('packs/tiny-chat/ has no manifest.json');
});

test('a pack whose manifest the server cannot send for a while is there at the next start', async ({
  fresh,
}) => {
  const site = await serveTestSite('/', ['tiny-chat']);
  try {
    site.intercept = (request, response) => {
      const manifest = request.url?.includes('manifest.json') ?? false;
      if (manifest) response.writeHead(503).end();
      return manifest;
    };
    const page = await openPage(fresh, site.url);
    const isListed = (options: StartOptions) =>
      page.evaluate(
        async ([given, id]) => {
          await window.begin(given);
          return (await window.v1.models.list()).some((model) => model.id === id);
        },
        [options, TINY] as const,
      );
    expect(await isListed({})).toBe(false);
    site.intercept = undefined;
    // With other options, this start has a connection of its own to the same engine.
    expect(await isListed({ autoInstall: true })).toBe(true);
  } finally {
    await site.close();
  }
});
