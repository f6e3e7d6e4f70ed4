import { expect, openPage, test, TINY } from './support/fixtures.ts';
import { serveTestSite } from './support/site.ts';
import type { StartOptions } from '../../src/index.ts';
import type { Page } from 'playwright/test';

/** Code and message of the error that `start` fails with. */
function failure(page: Page, options: StartOptions = {}): Promise<(string | undefined)[]> {
  return page.evaluate(async (given) => {
    try {
      await window.slashv1.start(given);
    } catch (error) {
      if (error instanceof window.slashv1.StartError) return [error.code, error.message];
      return [String(error)];
    }
    return [];
  }, options);
}

test('without WebGPU it says so, and what has it', async ({ fresh, site }) => {
  const page = await openPage(fresh, site.url);
  await page.evaluate(() => Object.defineProperty(navigator, 'gpu', { value: undefined }));
  const [code, message] = await failure(page);
  expect(code).toBe('webgpu_unavailable');
  expect(message).toContain('WebGPU');
});

test('an insecure page is told to use https', async ({ fresh, site }) => {
  const page = await openPage(fresh, site.url);
  await page.evaluate(() => Object.defineProperty(window, 'isSecureContext', { value: false }));
  expect((await failure(page))[0]).toBe('insecure_context');
});

test('a missing sw.js is named', async ({ fresh, site }) => {
  const page = await openPage(fresh, site.url);
  const [code, message] = await failure(page, { base: 'nowhere/' });
  expect(code).toBe('service_worker_failed');
  expect(message).toContain('nowhere/sw.js');
});

test('a key of the wrong form is refused', async ({ fresh, site }) => {
  const page = await openPage(fresh, site.url);
  expect((await failure(page, { apiKey: 'sk-123' }))[0]).toBe('invalid_option');
});

for (const options of [
  { memoryBudget: 0 },
  { memoryBudget: Number.NaN },
  { unloadAfterMs: -1 },
  { unloadAfterMs: Number.NaN },
  { speechDevice: 'gpu' as 'webgpu' },
  { speechThreads: 1.5 },
]) {
  const [[name, value] = ['', 0]] = Object.entries(options);
  test(`${name} cannot be ${value}`, async ({ fresh, site }) => {
    const page = await openPage(fresh, site.url);
    const [code, message] = await failure(page, options);
    expect(code).toBe('invalid_option');
    expect(message).toContain(name);
  });
}

test('an unknown model is named', async ({ fresh, site }) => {
  const page = await openPage(fresh, site.url);
  const [code, message] = await failure(page, { model: 'nobody/nothing' });
  expect(code).toBe('model_failed');
  expect(message).toContain('nobody/nothing');
});

test('a pack with a missing shard fails with its name, and works once it is there', async ({
  fresh,
}) => {
  const site = await serveTestSite('/', ['tiny-chat']);
  try {
    site.intercept = (request, response) => {
      const missing = request.url?.includes('params_shard_0') ?? false;
      if (missing) response.writeHead(404).end();
      return missing;
    };
    const page = await openPage(fresh, site.url);
    const [code, message] = await failure(page, { model: TINY });
    expect(code).toBe('model_failed');
    expect(message).toContain('params_shard_0.bin');
    site.intercept = undefined;
    await page.evaluate((model) => window.begin({ model }), TINY);
    const models = await page.evaluate(() => window.v1.models.list());
    expect(models).toContainEqual(expect.objectContaining({ id: TINY, state: 'loaded' }));
  } finally {
    await site.close();
  }
});

test('a shard that is not the one of the manifest is refused', async ({ fresh }) => {
  const site = await serveTestSite('/', ['tiny-chat']);
  try {
    site.intercept = (request, response) => {
      const tampered = request.url?.includes('params_shard_0') ?? false;
      if (tampered) response.writeHead(200).end('not the weights');
      return tampered;
    };
    const page = await openPage(fresh, site.url);
    const [, message] = await failure(page, { model: TINY });
    expect(message).toContain('is not the file it should be');
  } finally {
    await site.close();
  }
});

test('a site whose pack list is broken says which file', async ({ fresh }) => {
  const site = await serveTestSite('/', ['tiny-chat']);
  try {
    site.intercept = (request, response) => {
      const manifest = request.url?.includes('manifest.json') ?? false;
      if (manifest) response.writeHead(404).end();
      return manifest;
    };
    const page = await openPage(fresh, site.url);
    const [message] = await failure(page);
    expect(message).toContain('packs/tiny-chat/ has no manifest.json');
  } finally {
    await site.close();
  }
});
