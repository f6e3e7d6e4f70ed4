import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { CatalogEntry } from '../../../src/core/stores/catalog-entry.ts';
import { CatalogStore } from '../../../src/core/stores/catalog-store.ts';
import type { ProgressStage } from '../../../src/core/protocol/events.ts';
import type { Job } from '../../../src/core/protocol/jobs.ts';
import { modelNotFound } from '../../../src/core/protocol/errors.ts';
import { WeightStore } from '../../../src/core/stores/weight-store.ts';
import type { Models } from '../../../src/page/api.ts';
import { createModels } from '../../../src/page/models.ts';
import { emptyDatabase } from '../support/database.ts';
import { hubEntry, installation, packEntry } from '../support/entries.ts';
import { closeBrowser, openBrowser } from '../support/fake-browser.ts';
import { scriptedEngine } from '../support/scripted-engine.ts';

let catalog: CatalogStore;
let weights: WeightStore;
let models: Models;
let jobs: Job[];
/** The engine's state of each model that it has dealt with. */
let stages: Record<string, ProgressStage>;
/** The signal of the last job. */
let signal: AbortSignal;

const engine = scriptedEngine(async function* (job, given) {
  signal = given;
  if (job.op === 'states') {
    for (const [model, stage] of Object.entries(stages)) {
      const progress = { model, stage, loadedBytes: 0, totalBytes: 0, text: '' };
      yield { type: 'progress', progress };
    }
    return;
  }
  jobs.push(job);
  if ('model' in job && job.model === 'nowhere') throw modelNotFound('nowhere');
  if (job.op === 'add') yield { type: 'added', model: 'its id' };
});

beforeEach(() => {
  openBrowser();
  const open = emptyDatabase();
  catalog = new CatalogStore(open);
  weights = new WeightStore(open);
  models = createModels(engine, catalog, weights);
  jobs = [];
  stages = {};
});

afterEach(closeBrowser);

describe('what a page asks of a model', () => {
  test.each<[string, () => Promise<unknown>, Job]>([
    ['install', () => models.install('m'), { op: 'install', model: 'm', makeRoom: false }],
    [
      'install with room made',
      () => models.install('m', { makeRoom: true }),
      { op: 'install', model: 'm', makeRoom: true },
    ],
    ['pause', () => models.pause('m'), { op: 'pause', model: 'm' }],
    ['load', () => models.load('m'), { op: 'load', model: 'm' }],
    ['unload', () => models.unload('m'), { op: 'unload', model: 'm' }],
    ['remove', () => models.remove('m'), { op: 'remove', model: 'm' }],
  ])('%s is done by the engine', async (_, ask, job) => {
    await ask();
    expect(jobs).toEqual([job]);
  });

  test('adding one returns its id', async () => {
    expect(await models.add('owner/name')).toBe('its id');
    expect(jobs).toEqual([{ op: 'add', source: 'owner/name' }]);
  });

  test('fails with the engine’s error', async () => {
    await expect(models.load('nowhere')).rejects.toMatchObject({ data: { status: 404 } });
  });

  test('installing and loading can be aborted', async () => {
    const leaving = new AbortController();
    await models.install('m', { signal: leaving.signal });
    expect(signal).toBe(leaving.signal);
    await models.load('m', { signal: leaving.signal });
    expect(signal).toBe(leaving.signal);
  });

  test('keeping the models is asked of the browser', async () => {
    const persist = vi.fn(() => Promise.resolve(true));
    vi.stubGlobal('navigator', { storage: { persist } });
    expect(await models.persist()).toBe(true);
  });
});

describe('the list of models', () => {
  const BEGUN = { revision: 'r1', modelLibrary: 'a', files: [file('a', 4), file('b', 6)] };

  function file(path: string, size: number) {
    return { path, size, url: `http://hub/${path}` };
  }

  /** The only model of the catalog, as the list has it. */
  async function listed(entry: CatalogEntry) {
    await catalog.put(entry);
    const [model] = await models.list();
    return model;
  }

  /** Its first file is here, its second is not. */
  async function beginDownload(): Promise<void> {
    await catalog.begin('m', BEGUN);
    await weights.put('m', 'r1', 'a', { blob: new Blob(['1234']), sha256: 'x' });
  }

  test('has what the catalog knows, the site’s own packs first', async () => {
    await catalog.put(hubEntry('a/hub', { license: 'mit', bytes: 10, gpuBytes: 20 }));
    await catalog.put(packEntry('z'));
    const list = await models.list();
    expect(list.map(({ id, embedded }) => [id, embedded])).toEqual([
      ['z', true],
      ['a/hub', false],
    ]);
    expect(list[1]).toEqual({
      ...{ id: 'a/hub', state: 'available', embedded: false, obstacles: [], license: 'mit' },
      ...{ bytes: 10, gpuBytes: 20, contextLength: 4096, quantization: 'q4f16_1' },
    });
  });

  test.each<[string, CatalogEntry, ProgressStage | undefined]>([
    ['embedded', packEntry('m'), undefined],
    ['available', hubEntry('m'), undefined],
    ['available', hubEntry('m'), 'failed'],
    ['downloading', hubEntry('m'), 'download'],
    ['installed', hubEntry('m', { installed: installation('r1') }), undefined],
    ['installed', hubEntry('m', { installed: installation('r1') }), 'unloaded'],
    ['loaded', hubEntry('m', { installed: installation('r1') }), 'ready'],
  ])('says that a model is %s', async (state, entry, stage) => {
    if (stage) stages = { m: stage };
    expect(await listed(entry)).toMatchObject({ state });
  });

  test('says how much of a download that stopped is here', async () => {
    await beginDownload();
    const paused = { state: 'paused', bytes: 10, downloadedBytes: 4 };
    expect(await listed(hubEntry('m'))).toMatchObject(paused);
  });

  test('says when a model was last used', async () => {
    expect(await listed(hubEntry('m'))).not.toHaveProperty('lastUsedAt');
    const before = Date.now();
    await catalog.touch('m');
    const [model] = await models.list();
    expect(model?.lastUsedAt).toBeGreaterThanOrEqual(before);
  });

  test.each<[string, number, boolean]>([
    ['a download that fits what is left', 2e9, false],
    ['a larger one', 2e9 + 1, true],
  ])('sees the storage as an obstacle only to a download: %s', async (_, bytes, isObstacle) => {
    const obstacles = isObstacle ? ['storage'] : [];
    expect(await listed(hubEntry('m', { bytes }))).toMatchObject({ obstacles });
    const installed = { bytes, installed: installation('r1') };
    expect(await listed(hubEntry('m', installed))).toMatchObject({ obstacles: [] });
  });

  test('counts only what is missing of a download that has begun', async () => {
    vi.stubGlobal('navigator', {
      storage: { estimate: () => Promise.resolve({ quota: 6, usage: 0 }) },
    });
    await beginDownload();
    expect(await listed(hubEntry('m'))).toMatchObject({ obstacles: [] });
  });
});
