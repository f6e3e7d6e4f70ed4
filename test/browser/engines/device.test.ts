import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright/test';
import type { StartOptions } from '../../../src/index.ts';
import { refusal, say } from '../support/chat.ts';
import { expect, openPage, openStarted, test, type TestSite } from '../support/fixtures.ts';
import { install, listed } from '../support/models.ts';
import { LIBRARY_FOLDER, PIPER, replaceFile, serveTestSite, TINY } from '../support/site.ts';
import { speechFile } from '../support/media/speech-file.ts';

/** A site that forces no engine, as most do. */
const ANY: StartOptions = { engines: ['webllm', 'llamacpp'] };

/** On the hub, for WebLLM only. */
const HUB_MODEL = 'mlc-ai/Qwen3-0.6B-q4f32_1-MLC';

const device = (page: Page) => page.evaluate(() => window.v1.device);

/** Starts the API in a new page, which is then closed. */
async function withPage<T>(
  profile: BrowserContext,
  site: TestSite,
  options: StartOptions,
  use: (page: Page) => Promise<T>,
): Promise<T> {
  const page = await openStarted(profile, site.url, options);
  const result = await use(page);
  await page.close();
  return result;
}

/** The context length of tiny-chat in `GET /v1/models/{id}`. */
function contextOf(page: Page): Promise<unknown> {
  return page.evaluate(async (id) => {
    const model: object = await window.client.models.retrieve(id);
    return Reflect.get(model, 'context_length') as unknown;
  }, TINY);
}

/** The ids of the models that `GET /v1/models` lists. */
function served(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const { data } = await window.client.models.list();
    return data.map(({ id }) => id);
  });
}

test('a browser without a GPU starts, says what it lacks, and speaks', async ({
  withoutGpu,
  closing,
}) => {
  const site = closing(await serveTestSite('/', ['tiny-chat', 'test-piper']));
  const page = await openStarted(withoutGpu, site.url, ANY);
  expect(await device(page)).toMatchObject({
    gpu: 'none',
    shaderF16: false,
    engine: 'llamacpp',
    host: 'page',
    isolated: false,
    reason: expect.stringMatching(/no WebGPU.*llama\.cpp/),
  });
  const file = await speechFile(page, { model: PIPER, voice: 'joe', input: 'Hello.' });
  expect(file.length).toBeGreaterThan(10_000);
  expect(await listed(page, PIPER)).toMatchObject({ state: 'loaded', obstacles: [] });
  expect(await served(page)).toContain(PIPER);
});

test('a browser without a GPU answers on the CPU, with what the memory budget allows', async ({
  withoutGpu,
  site,
}) => {
  const room = await withPage(withoutGpu, site, ANY, async (page) => {
    expect(await say(page, 'Count to 5.', { max_tokens: 9 })).toBe('1 2 3 4 5');
    const model = await listed(page, TINY);
    expect(model).toMatchObject({
      variant: { engine: 'llamacpp' },
      state: 'loaded',
      obstacles: [],
      contextLength: 2048,
      variants: [
        { engine: 'llamacpp', installed: true, obstacles: [] },
        { engine: 'webllm', installed: false, obstacles: ['webgpu'] },
      ],
    });
    expect(await contextOf(page)).toBe(2048);
    return (await device(page)).memoryBudget;
  });
  expect(room).toBeGreaterThanOrEqual(2 ** 30);
  await withPage(withoutGpu, site, { ...ANY, memoryBudget: 1 }, async (page) => {
    expect(await listed(page, TINY)).toMatchObject({ contextLength: 512, obstacles: ['memory'] });
    expect(await contextOf(page)).toBe(512);
    expect(await say(page, 'Count to 5.', { max_tokens: 9 })).toBe('1 2 3 4 5');
    const long = Array.from({ length: 600 }, () => 'one').join(' ');
    const refused = await refusal(page, { messages: [{ role: 'user', content: long }] });
    expect(refused).toMatchObject({ status: 400, code: 'context_length_exceeded' });
    expect(refused?.message).toContain('512 tokens');
  });
});

test('the context has the length that the site wants, and then the one that a page asks for', async ({
  withoutGpu,
  site,
}) => {
  const wanted = { ...ANY, contextLength: 1024 };
  await withPage(withoutGpu, site, wanted, async (page) => {
    expect(await listed(page, TINY)).toMatchObject({ contextLength: 1024 });
    expect(await contextOf(page)).toBe(1024);
    const long = Array.from({ length: 400 }, () => 'one').join(' ');
    const ask = () => refusal(page, { messages: [{ role: 'user', content: long }] });
    expect(await ask()).toBeUndefined();
    await page.evaluate((id) => window.v1.models.load(id, { contextLength: 512 }), TINY);
    expect(await contextOf(page)).toBe(512);
    expect(await ask()).toMatchObject({ status: 400, code: 'context_length_exceeded' });
    // The length stays when the model is unloaded and loaded by a request.
    await page.evaluate((id) => window.v1.models.unload(id), TINY);
    expect(await ask()).toMatchObject({ status: 400, code: 'context_length_exceeded' });
  });
  await withPage(withoutGpu, site, ANY, async (page) => {
    expect(await listed(page, TINY)).toMatchObject({ contextLength: 512 });
    const load = (contextLength: number) =>
      page.evaluate(
        ([id, length]) =>
          window.v1.models.load(id, { contextLength: length }).then(
            () => 'loaded',
            (error: Error) => error.message,
          ),
        [TINY, contextLength] as const,
      );
    expect(await load(0)).toContain('contextLength must be a whole number of tokens');
    expect(await load(100_000)).toBe('loaded');
    expect(await contextOf(page)).toBe(2048);
  });
});

test('a model that does not fit into the GPU’s memory answers on the CPU, in the same request', async ({
  fresh,
  closing,
}) => {
  const site = closing(await serveTestSite('/', ['tiny-chat']));
  await withPage(fresh, site, { engines: ['webllm'] }, (page) => install(page, TINY));
  const noMemory = `const { createBuffer } = GPUDevice.prototype;
    GPUDevice.prototype.createBuffer = function (descriptor) {
      return createBuffer.call(this, { ...descriptor, size: 2 ** 50 });
    };`;
  const engine = readFileSync(join(LIBRARY_FOLDER, 'engine.js'), 'utf8');
  site.intercept = replaceFile('/engine.js', `${noMemory}\n${engine}`);
  const page = await openStarted(fresh, site.url, ANY);
  expect(await listed(page, TINY)).toMatchObject({ variant: { engine: 'webllm' } });
  expect(await say(page, 'Count to 5.', { max_tokens: 9 })).toBe('1 2 3 4 5');
  expect(await listed(page, TINY)).toMatchObject({
    variant: { engine: 'llamacpp' },
    state: 'loaded',
    variants: [{ engine: 'llamacpp' }, { engine: 'webllm', obstacles: ['webgpu-failed'] }],
  });
});

test('a model that needs a GPU is refused before its download, with the reason', async ({
  withoutGpu,
  site,
}) => {
  const urls: string[] = [];
  withoutGpu.on('request', (request) => urls.push(request.url()));
  const page = await openStarted(withoutGpu, site.url, { ...ANY, autoInstall: true });
  expect(await listed(page, HUB_MODEL)).toMatchObject({
    obstacles: ['webgpu'],
    state: 'available',
    variants: [{ engine: 'webllm', installed: false, obstacles: ['webgpu'] }],
  });
  const refusals = await page.evaluate(async (model) => {
    const messages = [{ role: 'user' as const, content: 'Hi' }];
    const request = window.client.chat.completions.create({ model, messages });
    const installing = window.v1.models.install(model);
    const failure = await installing.catch((error: unknown) => error);
    const { data } = failure instanceof window.slashv1.ApiError ? failure : {};
    return { asked: await window.refusalOf(request), installed: data };
  }, HUB_MODEL);
  expect(refusals.asked).toMatchObject({ status: 500, code: 'webgpu_unavailable' });
  expect(refusals.asked?.message).toContain('no variant for the CPU');
  expect(refusals.installed).toMatchObject({ code: 'webgpu_unavailable' });
  expect(urls.filter((url) => !url.startsWith(site.url))).toEqual([]);
});

test('the engine also starts where the browser has no trace of WebGPU', async ({
  fresh,
  closing,
}) => {
  const site = closing(await serveTestSite('/', ['test-piper']));
  const remove = `delete WorkerNavigator.prototype.gpu;
    for (const name of Object.getOwnPropertyNames(self)) if (/^GPU/.test(name)) delete self[name];`;
  const engine = readFileSync(join(LIBRARY_FOLDER, 'engine.js'), 'utf8');
  site.intercept = replaceFile('/engine.js', `${remove}\n${engine}`);
  const page = await openStarted(fresh, site.url, ANY);
  expect(await device(page)).toMatchObject({ gpu: 'none', engine: 'llamacpp' });
});

test('a GPU that the CPU emulates is known as one, and WebLLM runs on it if the page wants that', async ({
  fresh,
  site,
}) => {
  const page = await openStarted(fresh, site.url, ANY);
  const emulated = { gpu: 'software', gpuName: 'google swiftshader' };
  expect(await device(page)).toMatchObject({ ...emulated, engine: 'llamacpp' });
  await page.close();
  const forced = await openStarted(fresh, site.url, { engines: ['webllm'] });
  expect(await device(forced)).toMatchObject({ ...emulated, engine: 'webllm' });
  expect(await listed(forced, TINY)).toMatchObject({
    variant: { engine: 'webllm' },
    obstacles: [],
  });
});

test('a page that allows no engine for a model does not serve it', async ({ fresh, site }) => {
  const page = await openStarted(fresh, site.url, { engines: ['llamacpp'], autoInstall: true });
  expect(await listed(page, HUB_MODEL)).toMatchObject({ obstacles: ['engine'] });
  const refused = await refusal(page, { model: HUB_MODEL });
  expect(refused).toMatchObject({ status: 404, code: 'model_not_found' });
  expect(refused?.message).toContain('this site allows llamacpp only');
});

test('without WebAssembly SIMD the error says which browsers have it', async ({ fresh, site }) => {
  const page = await openPage(fresh, site.url);
  const failure = await page.evaluate(async () => {
    WebAssembly.validate = () => false;
    return window.slashv1.start().catch(String);
  });
  expect(failure).toContain('no WebAssembly SIMD');
});
