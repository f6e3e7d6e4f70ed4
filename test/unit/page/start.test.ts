import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { JobEvent, ProgressStage } from '../../../src/core/operations/events/events.ts';
import { modelNotFound } from '../../../src/core/errors/errors.ts';
import { EventQueue } from '../../../src/core/async/event-queue.ts';
import { createKey } from '../../../src/core/keys/key-format.ts';
import { KeyReader } from '../../../src/core/keys/key-reader.ts';
import { smallDatabase } from '../../../src/core/database/small-database.ts';
import { start, type Slashv1, type StartOptions } from '../../../src/index.ts';
import { SingleDelivery } from '../../../src/core/operations/delivery.ts';
import { EngineConnection } from '../../../src/core/port/engine-connection.ts';
import { requestPort } from '../../../src/page/leader/engine-port.ts';
import { keysOf } from '../../../src/page/api/keys/keys.ts';
import { Leader } from '../../../src/page/leader/leader.ts';
import {
  closeBrowser,
  configOf,
  FAKE_DEVICE,
  openBrowser,
  withoutGpu,
  type FakeBrowser,
} from '../support/fakes/fake-browser.ts';
import { FakeEngineWorker } from '../support/fakes/fake-engine-worker.ts';
import { scriptedEngine } from '../support/fakes/scripted-engine.ts';

let browser: FakeBrowser;
/** Jobs that engines got, without subscriptions. */
let jobs: string[];
/** Feeds the subscriptions. */
let progress: EventQueue<JobEvent>;
let started: Slashv1[];

const engine = scriptedEngine(async function* (job) {
  if (job.op === 'watch') return yield* progress;
  if (job.op === 'device') yield { type: 'device', device: FAKE_DEVICE };
  if (job.op === 'add') yield { type: 'added', model: job.source ?? '' };
  const model = 'model' in job ? job.model : 'source' in job ? job.source : '';
  if (job.op !== 'device') jobs.push(`${job.op} ${model}`.trim());
  if (model === 'nowhere') throw modelNotFound(model);
});

function report(stage: ProgressStage): void {
  const event = { model: 'm', stage, loadedBytes: 0, totalBytes: 0, text: '' };
  progress.push({ type: 'progress', progress: event });
}

/** `start` in this page, which stops when the test ends. */
async function begin(options?: StartOptions): Promise<Slashv1> {
  const v1 = await start(options);
  started.push(v1);
  return v1;
}

/** Checks a key as the service worker does. */
const check = ({ apiKey }: Slashv1) => {
  const open = smallDatabase(new URL(browser.base).pathname);
  return new KeyReader(open).check(`Bearer ${apiKey}`);
};
const isInvalid = { data: { status: 401 } };

beforeEach(() => {
  browser = openBrowser();
  jobs = [];
  progress = new EventQueue();
  started = [];
  FakeEngineWorker.engine = engine;
});

afterEach(async () => {
  await Promise.all(started.map((v1) => v1.stop()));
  closeBrowser();
});

describe('start', () => {
  test('puts the API below the base, with a key that is valid', async () => {
    const v1 = await begin();
    expect(v1.baseURL).toBe(`${browser.base}v1`);
    expect(await check(v1)).toMatchObject({ label: 'session' });
    expect(browser.container.registered).toEqual([`${browser.base}sw.js`]);
    expect(browser.container.controller).not.toBeNull();
  });

  test('needs no WebGPU', async () => {
    vi.stubGlobal('navigator', withoutGpu(navigator));
    expect((await begin()).device.engine).toBe('llamacpp');
  });

  test('accepts the key that it is given, with autoInstall', async () => {
    const apiKey = createKey();
    const v1 = await begin({ apiKey, autoInstall: true });
    expect(v1.apiKey).toBe(apiKey);
    expect(await check(v1)).toMatchObject({ autoInstall: true });
  });

  test('adds, installs and loads the model that is named', async () => {
    await begin({ model: 'm' });
    expect(jobs).toEqual(['add m', 'install m', 'load m']);
  });

  test('asks its own engine for the model before the service worker is registered', async () => {
    const { container } = browser;
    const register = container.register.bind(container);
    vi.spyOn(container, 'register').mockImplementation(async (...given) => {
      await vi.waitFor(() => expect(jobs).toEqual(['add m', 'install m', 'load m']));
      return register(...given);
    });
    await begin({ model: 'm' });
    expect(jobs).toEqual(['add m', 'install m', 'load m']);
  });

  test('says that the service worker is missing, also if the model is unknown', async () => {
    vi.spyOn(browser.container, 'register').mockRejectedValue(new TypeError('HTTP 404'));
    const starting = start({ model: 'nowhere' });
    await expect(starting).rejects.toMatchObject({ code: 'service_worker_failed' });
    expect(FakeEngineWorker.made.map(({ isTerminated }) => isTerminated)).toEqual([true]);
  });

  test('begins no download if it will reload the page', async () => {
    const asked = vi.fn<() => void>();
    vi.spyOn(browser.container, 'register').mockImplementation(async () => {
      await vi.waitFor(() => expect(FakeEngineWorker.made).toHaveLength(1));
      asked();
      throw new TypeError('HTTP 404');
    });
    await expect(start({ model: 'm', isolate: true })).rejects.toThrow('HTTP 404');
    expect(asked).toHaveBeenCalled();
    expect(jobs).toEqual([]);
  });

  test('says what the engine found out about the device', async () => {
    expect((await begin()).device).toEqual(FAKE_DEVICE);
  });

  test('tells the engine its options, with folders as absolute URLs', async () => {
    const engines: StartOptions['engines'] = ['llamacpp'];
    const caches = { contextLength: 4096, kvCacheType: 'q8_0', unloadAfterMs: 5 } as const;
    await begin({ base: 'ai/x', hub: '/hub/x', ...caches, standby: true, engines });
    expect(FakeEngineWorker.made[0]?.url).toBe(`${browser.base}ai/engine.js`);
    expect(FakeEngineWorker.made[0]?.config).toMatchObject({
      base: `${browser.base}ai/`,
      hub: 'http://site/hub/',
      ...caches,
      standby: true,
      engines,
      isPhone: false,
    });
  });

  test('reports progress, and the errors that the listener throws', async () => {
    const stages: ProgressStage[] = [];
    await begin({
      onProgress: ({ stage }) => {
        stages.push(stage);
        throw new Error(`at ${stage}`);
      },
    });
    report('load');
    report('ready');
    await vi.waitFor(() => expect(stages).toEqual(['load', 'ready']));
    expect(browser.reported).toEqual([new Error('at load'), new Error('at ready')]);
  });
});

function abortingSoon(reason: Error): AbortSignal {
  const controller = new AbortController();
  queueMicrotask(() => controller.abort(reason));
  return controller.signal;
}

describe('two starts in one page', () => {
  test('at once share what runs', async () => {
    const [a, b] = await Promise.all([begin(), begin()]);
    expect(b.apiKey).toBe(a.apiKey);
    expect(browser.container.registered).toHaveLength(1);
    expect(FakeEngineWorker.made).toHaveLength(1);
  });

  test('one after the other share what runs', async () => {
    const a = await begin({ hub: 'http://hub/' });
    const b = await begin({ hub: new URL('http://hub/') });
    expect(b.apiKey).toBe(a.apiKey);
  });

  test('that share may load different models and have listeners of their own', async () => {
    const heard: string[] = [];
    const listen = (name: string) => () => void heard.push(name);
    const a = await begin({ model: 'a', onProgress: listen('a') });
    await begin({ model: 'b', onProgress: listen('b') });
    expect(jobs).toEqual(['add a', 'install a', 'load a', 'add b', 'install b', 'load b']);
    await a.stop();
    report('ready');
    await vi.waitFor(() => expect(heard).toEqual(['b']));
  });

  test('run until the last one stops; a repeated stop does not count', async () => {
    const [a, b] = await Promise.all([begin(), begin()]);
    await a.stop();
    await a.stop();
    await b.models.load('m');
    expect(await check(b)).toMatchObject({ label: 'session' });
    await b.stop();
    await expect(check(b)).rejects.toMatchObject(isInvalid);
    expect(FakeEngineWorker.made.map(({ isTerminated }) => isTerminated)).toEqual([true]);
    await expect(b.models.load('m')).rejects.toThrow('stop() was called.');
  });

  test('do not end each other when one is aborted', async () => {
    const signal = abortingSoon(new Error('enough'));
    const aborted = expect(start({ signal })).rejects.toThrow('enough');
    const v1 = await begin();
    await aborted;
    await v1.models.load('m');
    expect(jobs).toEqual(['load m']);
  });

  test('with other options have a session key each, and one engine', async () => {
    const [a, b] = await Promise.all([begin(), begin({ autoInstall: true })]);
    expect(b.apiKey).not.toBe(a.apiKey);
    await Promise.all([a.models.load('a'), b.models.load('b')]);
    expect(jobs.toSorted()).toEqual(['load a', 'load b']);
    expect(FakeEngineWorker.made).toHaveLength(1);
    await a.stop();
    await b.models.load('c');
    expect(jobs).toContain('load c');
    expect(await check(b)).toMatchObject({ autoInstall: true });
  });

  test('share nothing when the second begins while the first stops', async () => {
    const a = await begin();
    const stopping = a.stop();
    const b = await begin();
    await stopping;
    expect(b.apiKey).not.toBe(a.apiKey);
    await b.models.load('m');
    expect(jobs).toEqual(['load m']);
  });
});

describe('stop', () => {
  const startAndStop = async (times: number) => {
    for (let round = 0; round < times; round++) {
      const v1 = await start({ model: 'm', onProgress: () => undefined });
      await v1.stop();
    }
  };
  const openPorts = () => FakeEngineWorker.made.map((worker) => worker.openPorts);
  const locks = () => ({ held: browser.locks.held.toSorted(), awaited: browser.locks.awaited });

  test('leaves no lock and no connection of a page that leads, however often it starts', async () => {
    const close = vi.spyOn(IDBDatabase.prototype, 'close');
    await startAndStop(5);
    expect(close).toHaveBeenCalledTimes(5);
    await vi.waitFor(() => expect(locks()).toEqual({ held: [], awaited: [] }));
    expect(openPorts()).toEqual([0, 0, 0, 0, 0]);
  });

  test('leaves no lock and no port in the tab that leads, however often another starts', async () => {
    const registration = navigator.serviceWorker.register('sw.js');
    const leading = new AbortController();
    const present = new EngineConnection(
      async (signal) => requestPort(await registration, signal),
      (job) => new SingleDelivery(job),
      leading.signal,
    );
    new Leader({ registration, present, config: configOf(browser) }, leading.signal).stand();
    // The leader watches the lock of its worker.
    await vi.waitFor(() => expect(browser.locks.awaited).toHaveLength(1));
    const before = locks();
    await startAndStop(5);
    await vi.waitFor(() => expect(locks()).toEqual(before));
    expect(openPorts()).toEqual([0]);
    leading.abort();
  });

  test('leaves a key alone that was created before', async () => {
    await begin();
    const open = smallDatabase(new URL(browser.base).pathname);
    const apiKey = await keysOf(open).create({ label: 'app', models: ['m'] });
    const second = await begin({ apiKey });
    await second.stop();
    expect(await check(second)).toMatchObject({ label: 'app', models: ['m'] });
  });
});
