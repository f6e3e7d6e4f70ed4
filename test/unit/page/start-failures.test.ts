import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { modelNotFound } from '../../../src/core/protocol/errors.ts';
import { start, type StartOptions } from '../../../src/index.ts';
import {
  closeBrowser,
  FAKE_DEVICE,
  openBrowser,
  withoutGpu,
  type FakeBrowser,
} from '../support/fake-browser.ts';
import { FakeEngineWorker } from '../support/fake-engine-worker.ts';
import { scriptedEngine } from '../support/scripted-engine.ts';

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
  ['unloadAfterMs', { unloadAfterMs: Number.NaN }],
  ['speechThreads', { speechThreads: 1.5 }],
  ['threads', { threads: 0 }],
  ['base', { base: 'http://' }],
])('start fails if %s is invalid, before anything begins', async (name, options) => {
  const failure = { code: 'invalid_option', message: expect.stringContaining(name) };
  await expect(start(options)).rejects.toMatchObject(failure);
  expect(browser.container.registered).toEqual([]);
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
