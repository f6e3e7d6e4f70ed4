import { beforeEach, describe, expect, test } from 'vitest';
import type { CatalogEntry } from '../../../../src/core/catalog/catalog-entry.ts';
import { CatalogStore } from '../../../../src/core/catalog/catalog-store.ts';
import type { Device } from '../../../../src/core/fit/device-fit.ts';
import type { ProgressStage } from '../../../../src/core/operations/events/events.ts';
import { WeightStore } from '../../../../src/core/weights/weight-store.ts';
import { listModels } from '../../../../src/engine/host/model-list.ts';
import { ProgressBoard } from '../../../../src/engine/scheduling/progress-board.ts';
import { emptyDatabase } from '../../support/database.ts';
import {
  GGUF_MEMORY,
  ggufVariant,
  hubEntry,
  hubVariant,
  installation,
  onnxVariant,
  packEntry,
} from '../../support/entries.ts';

let catalog: CatalogStore;
let weights: WeightStore;
let progress: ProgressBoard;
let device: Device;

beforeEach(() => {
  const open = emptyDatabase();
  catalog = new CatalogStore(open);
  weights = new WeightStore(open);
  progress = new ProgressBoard();
  device = { gpu: 'hardware', hasF16: true, freeBytes: 2e9 };
});

const list = () =>
  listModels({ catalog, weights, progress, device: () => Promise.resolve(device) });

describe('the list of models', () => {
  const BEGUN = {
    variant: 'webllm-q4f16_1',
    revision: 'r1',
    files: [file('a', 4), file('b', 6)],
  };

  function file(path: string, size: number) {
    return { path, size, url: `http://hub/${path}` };
  }

  /** The only model of the catalog, as the list has it. */
  async function listed(entry: CatalogEntry) {
    await catalog.put(entry);
    const [model] = await list();
    return model;
  }

  /** Begins a download: the first file is stored, the second is missing. */
  async function beginDownload(): Promise<void> {
    await catalog.begin('m', BEGUN);
    await weights.put('m', 'r1', 'a', { blob: new Blob(['1234']), sha256: 'x' });
  }

  test('says why the CPU computes the images of a model that is on the GPU', async () => {
    const files = installation('r1');
    const variant = { ...ggufVariant('m'), installed: files };
    const record = {
      model: 'm',
      variant: variant.id,
      revision: 'r1',
      surroundings: 'this browser',
    };
    const loads = [{ ...record, crashes: 0, gpuFailures: 0, imagesOnCpu: 'It lacks POOL_2D.' }];
    device = { ...device, loads };
    const entry = { ...hubEntry('m'), variants: [variant] };
    const onGpu = { device: 'webgpu', imagesOnCpu: 'It lacks POOL_2D.' };
    expect(await listed(entry)).toMatchObject({ ...onGpu, variants: [onGpu] });
    device = { ...device, llamacppDevice: 'wasm' };
    const onCpu = await listed(entry);
    expect(onCpu).toMatchObject({ device: 'wasm', cpuReason: { code: 'site' } });
    expect(onCpu).not.toHaveProperty('imagesOnCpu');
  });

  test('has what the catalog knows, the site’s own packs first', async () => {
    await catalog.put(hubEntry('a/hub', { license: 'mit', bytes: 10, needs: { memoryBytes: 20 } }));
    await catalog.put(packEntry('z'));
    const models = await list();
    expect(models.map(({ id, embedded }) => [id, embedded])).toEqual([
      ['z', true],
      ['a/hub', false],
    ]);
    expect(models[1]).toEqual({
      task: 'chat',
      variant: { engine: 'webllm', quantization: 'q4f16_1' },
      id: 'a/hub',
      state: 'available',
      embedded: false,
      obstacles: [],
      license: 'mit',
      bytes: 10,
      gpuBytes: 20,
      memoryBytes: 20,
      contextLength: 4096,
      quantization: 'q4f16_1',
      variants: [
        { engine: 'webllm', quantization: 'q4f16_1', installed: false, bytes: 10, obstacles: [] },
      ],
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
    if (stage) progress.report({ model: 'm', stage, loadedBytes: 0, totalBytes: 0, text: '' });
    expect(await listed(entry)).toMatchObject({ state });
  });

  test('says how much of a download that stopped is here', async () => {
    await beginDownload();
    const paused = { state: 'paused', bytes: 10, downloadedBytes: 4 };
    expect(await listed(hubEntry('m'))).toMatchObject(paused);
  });

  test('says why a download stopped', async () => {
    await beginDownload();
    expect(await listed(hubEntry('m'))).toMatchObject({ stopped: { why: 'interrupted' } });
    const stopped = { why: 'failed', message: 'The hub answered 503.' } as const;
    await catalog.stop('m', stopped);
    expect(await listed(hubEntry('m'))).toMatchObject({ stopped });
    await catalog.stop('other', stopped);
    await catalog.begin('m', BEGUN);
    expect(await listed(hubEntry('m'))).toMatchObject({ stopped: { why: 'interrupted' } });
  });

  test('says when a model was last used', async () => {
    expect(await listed(hubEntry('m'))).not.toHaveProperty('lastUsedAt');
    const before = Date.now();
    await catalog.touch('m');
    const [model] = await list();
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
    device = { freeBytes: 6 };
    await beginDownload();
    expect(await listed(hubEntry('m'))).toMatchObject({ obstacles: [] });
  });

  const BYTES = { bytes: 100e6 };

  test('counts the GPU memory of graphs that run there', async () => {
    const [fp32, q8] = [onnxVariant('m', 'fp32', BYTES), onnxVariant('m', 'q8', BYTES)];
    const ranker = { ...hubEntry('m'), task: 'rerank' as const };
    const models = { fp32: { ...ranker, variants: [fp32] }, q8: { ...ranker, variants: [q8] } };
    device = { ...device, onnxOnGpu: true };
    const onGpu = await listed(models.fp32);
    expect(onGpu?.gpuBytes).toBeGreaterThan(100e6);
    expect(onGpu?.gpuBytes).toBe(onGpu?.memoryBytes);
    expect(await listed(models.q8)).toMatchObject({ gpuBytes: 0 });
    device = { ...device, onnxOnGpu: false };
    expect(await listed(models.fp32)).toMatchObject({ gpuBytes: 0 });
  });

  const GPU = hubVariant('m', { needs: { shaderF16: true }, bytes: 90 });
  const CPU = ggufVariant('m', { memory: GGUF_MEMORY, bytes: 100 });
  const both = { ...hubEntry('m'), variants: [GPU, CPU] };

  test('says which variant is used, and why not another', async () => {
    expect(await listed(both)).toMatchObject({
      variant: { engine: 'webllm', quantization: 'q4f16_1' },
      bytes: 90,
      variants: [
        { engine: 'webllm', installed: false, obstacles: [], bytes: 90 },
        { engine: 'llamacpp', installed: false, obstacles: [], bytes: 100 },
      ],
    });
    device = { gpu: 'none', engines: ['webllm', 'llamacpp'] };
    expect(await listed(both)).toMatchObject({
      variant: { engine: 'llamacpp', quantization: 'Q4_K_M' },
      obstacles: [],
      bytes: 100,
      gpuBytes: 0,
      variants: [
        { engine: 'llamacpp', quantization: 'Q4_K_M', obstacles: [] },
        { engine: 'webllm', quantization: 'q4f16_1', obstacles: ['webgpu'] },
      ],
    });
  });

  test('shows the context that a model gets on this device', async () => {
    const entry = { ...both, variants: [CPU] };
    device = { memoryBudget: 1124e3 };
    expect(await listed(entry)).toMatchObject({
      contextLength: 1024,
      kvCacheType: 'f16',
      obstacles: [],
    });
    device = { memoryBudget: 1 };
    expect(await listed(entry)).toMatchObject({ contextLength: 512, obstacles: ['memory'] });
  });

  test('knows the download of the variant that it belongs to', async () => {
    await catalog.begin('m', { ...BEGUN, variant: CPU.id });
    expect(await listed(both)).toMatchObject({ state: 'available', bytes: 90 });
    device = { gpu: 'none' };
    expect(await listed(both)).toMatchObject({ state: 'paused', bytes: 10, downloadedBytes: 0 });
  });
});
