import { beforeEach, describe, expect, test } from 'vitest';
import { serverError } from '../../../../src/core/errors/errors.ts';
import { DeviceStore } from '../../../../src/core/database/device-store.ts';
import type { Database } from '../../../../src/core/database/database.ts';
import { MOST_GPU_FAILURES } from '../../../../src/core/fit/load-record.ts';
import type { Variant } from '../../../../src/core/catalog/variant.ts';
import { LoadLog } from '../../../../src/engine/device/load-log.ts';
import type { InstalledModel } from '../../../../src/engine/download/installer/installed-model.ts';
import { emptyDatabase } from '../../support/database.ts';
import {
  ggufVariant,
  hubEntry,
  hubVariant,
  installation,
  onnxVariant,
} from '../../support/entries.ts';

let open: () => Promise<Database>;
/** Web Locks of the engines that live. */
let alive: Set<string>;

beforeEach(() => {
  open = emptyDatabase();
  alive = new Set();
});

/** The log of an engine that has just started. @param ended - engines that pages have ended */
function startEngine(engine: string, ended: string[] = [], surroundings = 'this browser'): LoadLog {
  alive.add(engine);
  const isHeld = (lock: string) => Promise.resolve(alive.has(lock));
  const log = new LoadLog({ store: new DeviceStore(open), engine, surroundings, isHeld });
  log.setEnded(ended);
  return log;
}

function installed(variant: Variant, revision = 'r1', contextLength = 4096): InstalledModel {
  const files = installation(revision);
  return {
    entry: hubEntry('m'),
    variant: { ...variant, installed: files },
    installation: files,
    contextLength,
  };
}

const CPU = installed(ggufVariant('m'));
const GPU = installed(hubVariant('m'));

/** Begins a load in an engine that then ends, at once. */
async function loadAndEnd(engine: string, model = CPU): Promise<void> {
  const loading = Promise.withResolvers<void>();
  const log = startEngine(engine);
  void log.during(model, () => {
    loading.resolve();
    return new Promise<never>(() => undefined);
  });
  await loading.promise;
  alive.delete(engine);
}

const loads = () => new DeviceStore(open).loads();

describe('a load', () => {
  test('leaves nothing behind if it succeeds or fails', async () => {
    const log = startEngine('a');
    expect(await log.during(CPU, () => Promise.resolve('loaded'))).toBe('loaded');
    const failing = log.during(CPU, () => Promise.reject(new Error('no network')));
    await expect(failing).rejects.toThrow('no network');
    expect(await loads()).toEqual([]);
  });

  test('is marked while it runs', async () => {
    await startEngine('a').during(CPU, async () => {
      expect(await loads()).toMatchObject([{ running: { engine: 'a', contextLength: 4096 } }]);
      expect(await startEngine('b').records()).toMatchObject([{ crashes: 0 }]);
    });
  });

  test('that ends its engine is a crash, and the next one gets a quarter of the context', async () => {
    await loadAndEnd('a');
    const [record] = await startEngine('b').records();
    expect(record).toMatchObject({ crashes: 1, contextLimit: 1024 });
    expect(record).not.toHaveProperty('running');
    await loadAndEnd('b', { ...CPU, contextLength: 1024 });
    expect(await startEngine('c').records()).toMatchObject([{ crashes: 2, contextLimit: 256 }]);
  });

  test('whose engine a page has ended is no crash', async () => {
    await loadAndEnd('a');
    expect(await startEngine('b', ['x', 'a']).records()).toEqual([]);
    expect(await loads()).toEqual([]);
  });

  test('is no crash if pages cannot tell', async () => {
    await loadAndEnd('a');
    const store = new DeviceStore(open);
    const isHeld = () => Promise.resolve(false);
    const log = new LoadLog({ store, engine: 'b', surroundings: 'this browser', isHeld });
    expect(await log.records()).toEqual([]);
  });

  test('is counted once, although two engines notice its end', async () => {
    await loadAndEnd('a');
    const logs = [startEngine('b'), startEngine('c')];
    for (const records of await Promise.all(logs.map((log) => log.records()))) {
      expect(records).toMatchObject([{ crashes: 1 }]);
    }
  });

  test('that succeeds after a crash keeps the shorter context, and the crash is forgiven', async () => {
    await loadAndEnd('a');
    const log = startEngine('b');
    await log.records();
    await log.during({ ...CPU, contextLength: 1024 }, () => Promise.resolve());
    expect(await log.records()).toMatchObject([{ crashes: 0, contextLimit: 1024 }]);
  });

  test('of other files, or in another version of the browser, has a new beginning', async () => {
    await loadAndEnd('a');
    const log = startEngine('b');
    await log.records();
    const other = installed(ggufVariant('m'), 'r2');
    await log.during(other, () => Promise.resolve());
    expect(await log.records()).toEqual([]);
    await loadAndEnd('b');
    expect(await startEngine('c', [], 'its next version').records()).toEqual([]);
  });
});

describe('after a crash', () => {
  const refused = { data: { code: 'load_crashed', status: 500, retryable: false } };

  test('nothing is loaded by itself, but whoever asks is served', async () => {
    await loadAndEnd('a');
    const log = startEngine('b');
    await expect(log.check(CPU, { automatic: true })).rejects.toMatchObject(refused);
    await log.check(CPU, {});
    await log.check(GPU, { automatic: true });
  });

  test('a page that starts does not repeat it, but loads with less', async () => {
    for (const model of [CPU, GPU]) await loadAndEnd(model.variant.id, model);
    const log = startEngine('b');
    const asked = { starting: true };
    for (const model of [CPU, GPU]) {
      await expect(log.check(model, asked)).rejects.toMatchObject(refused);
      await expect(log.check(model, asked)).rejects.toThrow("models.load('m') tries it");
    }
    await log.check({ ...CPU, contextLength: 1024 }, asked);
    await log.check(GPU, {});
  });

  test('the shortest context is no less than itself', async () => {
    const shortest = { ...CPU, contextLength: 512 };
    await loadAndEnd('a', shortest);
    const check = startEngine('b').check(shortest, { starting: true });
    await expect(check).rejects.toMatchObject(refused);
  });

  test('and a second one, a load has to be forced', async () => {
    await loadAndEnd('a');
    await startEngine('b').records();
    await loadAndEnd('b');
    const log = startEngine('c');
    await expect(log.check(CPU, {})).rejects.toMatchObject(refused);
    await expect(log.check(CPU, {})).rejects.toThrow("models.load('m', { anyway: true })");
    await log.check(CPU, { anyway: true });
    await log.during(CPU, () => Promise.resolve());
    await log.check(CPU, { automatic: true });
  });
});

describe('a load on the CPU without enough memory', () => {
  const error = serverError('out_of_memory', 'The model does not fit.');

  test('is worth another attempt with a shorter context, down to the shortest', async () => {
    const log = startEngine('a');
    expect(await log.noteMemoryError(CPU, error)).toBe(true);
    expect(await log.records()).toMatchObject([{ contextLimit: 1024, crashes: 0 }]);
    expect(await log.noteMemoryError({ ...CPU, contextLength: 1024 }, error)).toBe(true);
    expect(await log.noteMemoryError({ ...CPU, contextLength: 512 }, error)).toBe(false);
  });

  test('is not meant by another error, nor by the memory of a GPU', async () => {
    const log = startEngine('a');
    expect(await log.noteMemoryError(CPU, new Error('lost'))).toBe(false);
    expect(await log.noteMemoryError(GPU, error)).toBe(false);
    expect(await log.records()).toEqual([]);
  });
});

describe('a GPU that fails', () => {
  const lost = new Error('The GPU was lost while the model was loaded.');

  test('is given up the second time, and then forgiven when the model has answered', async () => {
    const log = startEngine('a');
    expect(await log.noteGpuError(GPU, lost)).toBe(false);
    expect(await log.noteGpuError(GPU, lost)).toBe(true);
    const [record] = await startEngine('b').records();
    expect(record).toMatchObject({ gpuFailures: 2, gpuFailure: lost.message });
    await log.noteAnswer(GPU);
    expect(await loads()).toEqual([]);
  });

  test('an answer between two failures makes the second one a first', async () => {
    const log = startEngine('a');
    await log.noteGpuError(GPU, lost);
    const next = startEngine('b');
    await next.records();
    await next.noteAnswer(GPU);
    expect(await next.noteGpuError(GPU, lost)).toBe(false);
  });

  test.each([
    ['it has too little memory', serverError('out_of_memory', 'too large')],
    ['it lacks a feature', serverError('webgpu_unavailable', 'no shader-f16')],
    ['it cannot compile the kernels', Object.assign(new Error('x'), { name: 'GPUPipelineError' })],
  ])('is given up at once if %s', async (_, error) => {
    expect(await startEngine('a').noteGpuError(GPU, error)).toBe(true);
  });

  test.each([
    ['a download', serverError('engine_error', 'no network')],
    ['a file', serverError('model_unusable', 'its config is not valid')],
    ['a request', 'cancelled'],
  ])('is not meant by an error of %s', async (_, error) => {
    expect(await startEngine('a').noteGpuError(GPU, error)).toBe(false);
    expect(await loads()).toEqual([]);
  });

  test('stays given up by llama.cpp, which answers on the CPU then', async () => {
    const log = startEngine('a');
    expect(await log.noteGpuFailure(CPU, 'It was lost.', 'passing')).toBe(false);
    await log.noteAnswer(CPU);
    expect(await loads()).toEqual([]);
    expect(await log.noteGpuFailure(CPU, 'It computed no numbers.', 'final')).toBe(true);
    await log.noteAnswer(CPU);
    expect(await log.records()).toMatchObject([
      { gpuFailures: 2, gpuFailure: 'It computed no numbers.' },
    ]);
  });

  test('counts only for the engine that found a broken file of the site', async () => {
    const log = startEngine('a');
    expect(await log.noteGpuFailure(CPU, 'llamacpp-gpu.wasm is missing.', 'site')).toBe(true);
    await log.noteAnswer(CPU);
    expect(await log.records()).toMatchObject([{ gpuFailures: 2 }]);
    expect(await startEngine('b').records()).toMatchObject([{ gpuFailures: 2 }]);
    alive.delete('a');
    expect(await startEngine('c').records()).toEqual([]);
    expect(await loads()).toEqual([]);
  });

  test('differs from a projector that stays on the CPU, which the next load says', async () => {
    const log = startEngine('a');
    await log.noteImages(CPU, 'llama.cpp lacks POOL_2D.');
    await log.noteAnswer(CPU);
    expect(await log.records()).toMatchObject([
      { gpuFailures: 0, imagesOnCpu: 'llama.cpp lacks POOL_2D.' },
    ]);
    await log.noteImages(CPU, undefined);
    expect(await loads()).toEqual([]);
  });

  test('concerns no other engine', async () => {
    const error = serverError('out_of_memory', 'too large');
    expect(await startEngine('a').noteGpuError(CPU, error)).toBe(false);
  });
});

test('what cannot be stored keeps no model from being loaded', async () => {
  const store = new DeviceStore(() => Promise.reject(new Error('The disk is full.')));
  const log = new LoadLog({ store, engine: 'a', surroundings: 'this browser' });
  expect(await log.during(CPU, () => Promise.resolve('loaded'))).toBe('loaded');
});

test('a model that is removed has a new beginning', async () => {
  await loadAndEnd('a');
  const store = new DeviceStore(open);
  await store.forgetLoads('other');
  expect(await store.loads()).toHaveLength(1);
  await store.forgetLoads('m');
  expect(await store.loads()).toEqual([]);
});

test('a variant that has failed wherever it could run is noted at once', async () => {
  const log = startEngine('a');
  const onnx = installed(onnxVariant('m', 'fp16'));
  await log.noteUnusable(onnx, new Error('not a number'));
  const noted = {
    variant: 'onnx-fp16',
    gpuFailures: MOST_GPU_FAILURES,
    gpuFailure: 'not a number',
  };
  expect(await log.records()).toMatchObject([noted]);
});
