import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { modelNotFound } from '../../../src/core/errors/errors.ts';
import { start, type StartOptions } from '../../../src/index.ts';
import {
  closeBrowser,
  FAKE_DEVICE,
  openBrowser,
  withoutGpu,
  type FakeBrowser,
} from '../support/fakes/fake-browser.ts';
import { FakeEngineWorker } from '../support/fakes/fake-engine-worker.ts';
import { scriptedEngine } from '../support/fakes/scripted-engine.ts';

let browser: FakeBrowser;

beforeEach(() => {
  browser = openBrowser();
  FakeEngineWorker.engine = scriptedEngine(async function* (job) {
    if (job.op === 'device') yield { type: 'device', device: FAKE_DEVICE };
    else if ('model' in job) throw modelNotFound(job.model);
  });
});

afterEach(closeBrowser);

test.each<[string, StartOptions]>([
  ['apiKey', { apiKey: 'sk-123' }],
  ['engines', { engines: [] }],
  ['engines', { engines: ['webllm', 'onnx' as 'webllm'] }],
  ['memoryBudget', { memoryBudget: 0 }],
  ['memoryBudget', { memoryBudget: Number.NaN }],
  ['contextLength', { contextLength: 0 }],
  ['contextLength', { contextLength: Number.NaN }],
  ['contextLength', { contextLength: '4096' as unknown as number }],
  ['kvCacheType', { kvCacheType: 'q4_0' as 'q8_0' }],
  ['unloadAfterMs', { unloadAfterMs: -1 }],
  ['unloadAfterMs', { unloadAfterMs: Number.NaN }],
  ['speechDevice', { speechDevice: 'gpu' as 'webgpu' }],
  ['speechThreads', { speechThreads: 1.5 }],
  ['threads', { threads: 0 }],
  ['threads', { threads: 65 }],
  ['base', { base: 'http://' }],
  ['isolate', { isolate: true, serviceWorker: 'own.js' }],
])('start fails if %s is invalid, before anything begins', async (name, options) => {
  const failure = { code: 'invalid_option', message: expect.stringContaining(name) };
  await expect(start(options)).rejects.toMatchObject(failure);
  expect(browser.container.registered).toEqual([]);
});

test('start fails on a server that renders a page', async () => {
  vi.unstubAllGlobals();
  await expect(start()).rejects.toMatchObject({
    code: 'no_page',
    message: expect.stringContaining('in the browser'),
  });
});

test.each([true, false])(
  'start fails in a page without an origin, if serviceWorker is %s',
  async (serviceWorker) => {
    vi.stubGlobal('origin', 'null');
    const failure = { code: 'storage_unavailable', message: expect.stringContaining('sandbox') };
    await expect(start({ serviceWorker })).rejects.toMatchObject(failure);
    expect(browser.container.registered).toEqual([]);
  },
);

test('start names the storage if the browser denies it, and with it the service worker', async () => {
  browser.container.failure = new TypeError('denied');
  const denied = () => Promise.reject(new DOMException('The request was denied.', 'SecurityError'));
  vi.spyOn(browser.locks, 'request').mockImplementation(denied);
  await expect(start()).rejects.toMatchObject({
    code: 'storage_unavailable',
    message: expect.stringContaining('The request was denied.'),
  });
});

test('start without service workers in the browser says how the page can do without', async () => {
  const { locks, userAgent, maxTouchPoints } = navigator;
  vi.stubGlobal('navigator', { locks, userAgent, maxTouchPoints });
  await expect(start()).rejects.toMatchObject({
    code: 'service_worker_unavailable',
    message: expect.stringContaining('serviceWorker: false'),
  });
});

test('start with serviceWorker: false fails without api.js, registers nothing and leaves nothing behind', async () => {
  await expect(start({ serviceWorker: false })).rejects.toMatchObject({
    code: 'api_failed',
    message: expect.stringContaining(`${browser.base}api.js`),
  });
  expect(browser.container.registered).toEqual([]);
  await vi.waitFor(() => expect(browser.locks.held).toEqual([]));
});

test('start gives up soon in a page that no service worker can control', async () => {
  vi.stubGlobal('document', Object.assign(document, { URL: 'about:srcdoc' }));
  vi.stubGlobal('fetch', () => Promise.resolve(new Response('slashv1:claim')));
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const failed = expect(start()).rejects.toMatchObject({
    code: 'service_worker_failed',
    message: expect.stringContaining('v1.fetch'),
  });
  await vi.advanceTimersByTimeAsync(5_000);
  vi.useRealTimers();
  await failed;
});

test('start fails in an insecure page', async () => {
  vi.stubGlobal('isSecureContext', false);
  await expect(start()).rejects.toMatchObject({ code: 'insecure_context' });
});

test('start fails without WebGPU if the page allows no other engine, and a first visit registers nothing', async () => {
  vi.stubGlobal('navigator', withoutGpu(navigator));
  const starting = start({ engines: ['webllm'] });
  await expect(starting).rejects.toMatchObject({ code: 'webgpu_unavailable' });
  expect(browser.container.registered).toEqual([]);
});

test('start fails without WebAssembly SIMD, before anything begins', async () => {
  vi.stubGlobal('WebAssembly', { validate: () => false });
  await expect(start()).rejects.toMatchObject({ code: 'simd_unavailable' });
  expect(browser.container.registered).toEqual([]);
});

test('start fails if the service worker cannot be registered, leaves nothing behind, and may be repeated', async () => {
  browser.container.failure = new TypeError('404');
  await expect(start()).rejects.toMatchObject({
    code: 'service_worker_failed',
    message: expect.stringContaining('sw.js could not be registered: 404'),
  });
  await vi.waitFor(() => expect(browser.locks.held).toEqual([]));
  browser.container.failure = undefined;
  const v1 = await start();
  expect(v1.device).toEqual(FAKE_DEVICE);
  await v1.stop();
});

test('start fails if the model cannot be loaded', async () => {
  await expect(start({ model: 'nowhere' })).rejects.toMatchObject({
    code: 'model_failed',
    message: expect.stringContaining("'nowhere'"),
  });
  await vi.waitFor(() => expect(browser.locks.held).toEqual([]));
});

test.each([
  ['before it begins', () => AbortSignal.abort(new Error('enough'))],
  ['while it runs', () => abortingSoon(new Error('enough'))],
])('start fails with the reason of its signal, aborted %s', async (_, signal) => {
  await expect(start({ signal: signal() })).rejects.toThrow('enough');
  await vi.waitFor(() => expect(browser.locks.held).toEqual([]));
});

function abortingSoon(reason: Error): AbortSignal {
  const controller = new AbortController();
  queueMicrotask(() => controller.abort(reason));
  return controller.signal;
}
