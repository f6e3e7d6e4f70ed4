import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { CatalogModel } from '../../../../src/core/catalog/catalog-model.ts';
import type { DeviceReport } from '../../../../src/core/realms/device-report.ts';
import type { Job } from '../../../../src/core/operations/jobs/jobs.ts';
import { modelNotFound } from '../../../../src/core/errors/errors.ts';
import type { Models } from '../../../../src/page/api/models/models-api.ts';
import { moreModels } from '../../../../src/page/api/models/more-models.ts';
import { createModels, loadModel } from '../../../../src/page/api/models/models.ts';
import { emptyDatabases } from '../../support/database.ts';
import { closeBrowser, FAKE_DEVICE, openBrowser } from '../../support/fakes/fake-browser.ts';
import { scriptedEngine } from '../../support/fakes/scripted-engine.ts';

const LISTED: CatalogModel = {
  id: 'm',
  task: 'chat',
  state: 'available',
  embedded: false,
  obstacles: [],
  variant: { engine: 'webllm', quantization: 'q4f16_1' },
  variants: [],
  quantization: 'q4f16_1',
};

let models: Models;
let device: DeviceReport;
let jobs: Job[];
/** The signal of the last job. */
let signal: AbortSignal;

const engine = scriptedEngine(async function* (job, given) {
  signal = given;
  jobs.push(job);
  if ('model' in job && job.model === 'nowhere') throw modelNotFound('nowhere');
  if (job.op === 'add') yield { type: 'added', model: 'its id' };
  if (job.op === 'list') {
    yield { type: 'listed', models: [LISTED], device: { ...FAKE_DEVICE, reason: 'It was lost.' } };
  }
});

beforeEach(() => {
  openBrowser();
  device = { ...FAKE_DEVICE };
  const source = { engine, base: 'https://site.test/', device };
  const { openSmall } = emptyDatabases();
  models = createModels(source, async () => moreModels(engine, openSmall));
  jobs = [];
});

afterEach(closeBrowser);

test('a list of the models renews what the page knows of the device', async () => {
  expect(await models.list()).toEqual([LISTED]);
  expect(device).toEqual({ ...FAKE_DEVICE, reason: 'It was lost.' });
});

describe('what a page asks of a model', () => {
  test.each<[string, () => Promise<unknown>, Job]>([
    ['install', () => models.install('m'), { op: 'install', model: 'm' }],
    [
      'install with room made',
      () => models.install('m', { makeRoom: true }),
      { op: 'install', model: 'm', makeRoom: true },
    ],
    ['pause', () => models.pause('m'), { op: 'pause', model: 'm' }],
    ['load', () => models.load('m'), { op: 'load', model: 'm' }],
    [
      'load in spite of crashes',
      () => models.load('m', { anyway: true }),
      { op: 'load', model: 'm', anyway: true },
    ],
    [
      'load with another context',
      () => models.load('m', { contextLength: 600 }),
      { op: 'load', model: 'm', contextLength: 600 },
    ],
    [
      'load with another KV cache',
      () => models.load('m', { kvCacheType: 'q8_0' }),
      { op: 'load', model: 'm', kvCacheType: 'q8_0' },
    ],
    ['unload', () => models.unload('m'), { op: 'unload', model: 'm' }],
    ['remove', () => models.remove('m'), { op: 'remove', model: 'm' }],
  ])('%s is done by the engine', async (_, ask, job) => {
    await ask();
    expect(jobs).toEqual([job]);
  });

  test('a model that is to be loaded is loaded while it is installed, if the engine is no older build', async () => {
    await loadModel(engine, 'owner/name');
    expect(jobs).toEqual([
      { op: 'add', source: 'owner/name' },
      { op: 'install', model: 'its id', load: true },
      { op: 'load', model: 'its id' },
    ]);
  });

  test('the list comes from the engine, which knows the device', async () => {
    expect(await models.list()).toEqual([LISTED]);
  });

  test('adding one returns its id', async () => {
    expect(await models.add('owner/name')).toBe('its id');
    expect(jobs).toEqual([{ op: 'add', source: 'owner/name' }]);
  });

  test('adding files passes them on', async () => {
    const files = ['a-00001-of-00002.gguf', 'a-00002-of-00002.gguf'].map(
      (name) => new File(['x'], name),
    );
    const [first] = files;
    if (!first) throw new Error('There are two files.');
    expect(await models.add(first, { makeRoom: true })).toBe('its id');
    await models.add(files);
    expect(jobs).toEqual([
      { op: 'add', files: [first], makeRoom: true },
      { op: 'add', files, makeRoom: false },
    ]);
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
    // WebKitGTK has no storage manager.
    vi.stubGlobal('navigator', {});
    expect(await models.persist()).toBe(false);
  });
});
