import { beforeEach, expect, test, vi } from 'vitest';
import {
  installGpuKernels,
  GpuKernels,
  type GpuRecipe,
} from '../../../../../src/engine/webllm/gpu/gpu-kernels.ts';

/** What reached the GPU: compilations, "ahead" of WebLLM or not, and pipelines set. */
let log: string[];

class Pass {
  setPipeline(pipeline: { label: string }) {
    log.push(`set ${pipeline.label}`);
  }
}

class Device {
  readonly lost = new Promise(() => undefined);
  destroy() {
    log.push('destroy');
  }
  createBindGroupLayout = ({ entries }: { entries: unknown[] }) => ({ entries });
  createPipelineLayout = ({ bindGroupLayouts }: { bindGroupLayouts: unknown[] }) => ({
    bindGroupLayouts,
  });
  createShaderModule = ({ code }: { code: string }) => ({ code });
  createComputePipeline = (descriptor: Descriptor) => {
    log.push(`compile at once ${descriptor.compute.entryPoint}`);
    return { label: descriptor.compute.entryPoint };
  };
  createComputePipelineAsync = (descriptor: Descriptor) => {
    const { entryPoint } = descriptor.compute;
    log.push(`compile ${entryPoint}`);
    return Promise.resolve({ label: entryPoint });
  };
}

interface Descriptor {
  layout: object;
  compute: { module: { code: string }; entryPoint: string };
}

class Gpu {
  limit = 100;
  requestAdapter() {
    log.push('adapter');
    let isUsed = false;
    return Promise.resolve({
      requestDevice: ({
        requiredLimits = {},
      }: { requiredLimits?: Record<string, number> } = {}) => {
        if (isUsed) return Promise.reject(new Error('This adapter gave its device already.'));
        isUsed = true;
        if (Object.values(requiredLimits).some((limit) => limit > this.limit)) {
          return Promise.reject(new Error('Over the limit.'));
        }
        log.push('device');
        return Promise.resolve(new Device());
      },
    });
  }
}

/** Like WebLLM: compiles all kernels before the first is used. */
async function loadAsWebLlm(gpu: GPU, limit = 10) {
  const adapter = await gpu.requestAdapter({ powerPreference: 'high-performance' });
  const device = await adapter?.requestDevice({ requiredLimits: { maxBufferSize: limit } });
  if (!device) throw new Error('No device.');
  log.push('WebLLM has its device');
  const entries: GPUBindGroupLayoutEntry[] = [
    { binding: 0, visibility: 4, buffer: { type: 'storage' } },
  ];
  const kernels = ['prefill', 'decode', 'verify'].map(async (entryPoint) => {
    const group = device.createBindGroupLayout({ entries });
    const layout = device.createPipelineLayout({ bindGroupLayouts: [group] });
    const module = device.createShaderModule({ code: `// ${entryPoint}` });
    const compute = { module, entryPoint };
    return [entryPoint, await device.createComputePipelineAsync({ layout, compute })] as const;
  });
  const pipelines = new Map(await Promise.all(kernels));
  log.push('WebLLM is ready');
  return (name: string) => {
    const pipeline = pipelines.get(name);
    if (!pipeline) throw new Error(`No kernel ${name}.`);
    new GPUComputePassEncoder().setPipeline(pipeline);
  };
}

function newGpu(): GPU & Gpu {
  const gpu: unknown = new Gpu();
  return gpu as GPU & Gpu;
}

async function firstLoad(uses: string[]): Promise<GpuRecipe> {
  const gpu = newGpu();
  const pipelines = new GpuKernels(gpu, undefined);
  const run = await loadAsWebLlm(gpu);
  await pipelines.end();
  uses.forEach(run);
  const recipe = pipelines.takeChanged();
  if (!recipe) throw new Error('Nothing was noted.');
  return recipe;
}

beforeEach(() => {
  log = [];
  vi.stubGlobal('GPUComputePassEncoder', class extends Pass {});
  installGpuKernels();
});

test('the first load compiles all kernels, and records those that answers use', async () => {
  const recipe = await firstLoad(['prefill', 'decode', 'decode']);
  expect(log).toEqual([
    ...['adapter', 'device', 'WebLLM has its device'],
    ...['compile prefill', 'compile decode', 'compile verify', 'WebLLM is ready'],
    ...['set prefill', 'set decode', 'set decode'],
  ]);
  expect(recipe).toMatchObject({
    powerPreference: 'high-performance',
    device: { requiredLimits: { maxBufferSize: 10 } },
  });
  const used = recipe.pipelines.map(({ entryPoint, isUsed }) => [entryPoint, isUsed]);
  expect(Object.fromEntries(used)).toEqual({ prefill: true, decode: true, verify: false });
});

test('the next load compiles those before WebLLM asks, and the others on first use', async () => {
  const recipe = await firstLoad(['prefill', 'decode']);
  log = [];
  const gpu = newGpu();
  const pipelines = new GpuKernels(gpu, recipe);
  await vi.waitFor(() => expect(log).toContain('compile decode'));
  const run = await loadAsWebLlm(gpu);
  await pipelines.end();
  expect(pipelines.takeChanged()).toBeUndefined();
  ['prefill', 'verify', 'verify'].forEach(run);
  expect(log).toEqual([
    ...['adapter', 'device', 'compile prefill', 'compile decode'],
    ...['WebLLM has its device', 'WebLLM is ready'],
    ...['set prefill', 'compile at once verify', 'set verify', 'set verify'],
  ]);
  const news = pipelines.takeChanged();
  expect(news?.pipelines.map(({ isUsed }) => isUsed)).toEqual([true, true, true]);
  expect(pipelines.takeChanged()).toBeUndefined();
});

test('WebLLM gets another device if it asks for another one', async () => {
  const recipe = await firstLoad(['prefill']);
  log = [];
  const gpu = newGpu();
  const pipelines = new GpuKernels(gpu, recipe);
  const run = await loadAsWebLlm(gpu, 20);
  await pipelines.end();
  run('prefill');
  expect(log.filter((line) => line === 'device')).toHaveLength(2);
  // Nothing uses the device that was requested ahead.
  expect(log).toContain('destroy');
  expect(log.at(-1)).toBe('set prefill');
  expect(pipelines.takeChanged()?.device.requiredLimits).toEqual({ maxBufferSize: 20 });
});

test('a GPU with lower limits than the last one is left to WebLLM', async () => {
  const recipe = await firstLoad(['prefill']);
  const gpu = newGpu();
  gpu.limit = 8;
  const pipelines = new GpuKernels(gpu, recipe);
  const run = await loadAsWebLlm(gpu, 8);
  await pipelines.end();
  run('prefill');
  expect(log.at(-1)).toBe('set prefill');
});

test('a device that WebLLM never asked for is not kept', async () => {
  const recipe = await firstLoad(['prefill']);
  log = [];
  const pipelines = new GpuKernels(newGpu(), recipe);
  await pipelines.end();
  expect(log.at(-1)).toBe('destroy');
  expect(pipelines.takeChanged()).toBeUndefined();
});
