import type { DeviceReport, GpuKind, TextEngineName } from '../../core/realms/device-report.ts';
import type { Device } from '../../core/fit/device-fit.ts';

interface Facts extends Pick<DeviceReport, 'threads'> {
  /** Name of the GPU; empty: the browser does not tell. */
  gpuName: string;
  isolated: boolean;
}

/** Describes which engine writes text on this device, and why, for people. */
export function deviceReport(
  { gpu, hasF16 = false, engines, memoryBudget }: Device & { gpu: GpuKind; memoryBudget: number },
  { gpuName, isolated, threads }: Facts,
): DeviceReport {
  const engine = preferred(gpu, engines);
  return {
    gpu,
    shaderF16: hasF16,
    engine,
    isolated,
    threads,
    memoryBudget,
    ...(gpuName !== '' && { gpuName }),
    reason: [ofGpu(gpu, gpuName), ...ofEngine(engine, gpu, hasF16)].join(' '),
  };
}

/** The engine of models that have variants for both engines; null: the site's engines cannot run here. */
function preferred(
  gpu: GpuKind,
  engines: readonly TextEngineName[] = ['webllm', 'llamacpp'],
): TextEngineName | null {
  const able = engines.filter((engine) => engine !== 'webllm' || gpu !== 'none');
  const best = gpu === 'hardware' ? 'webllm' : 'llamacpp';
  return able.find((engine) => engine === best) ?? able[0] ?? null;
}

function ofGpu(gpu: GpuKind, name: string): string {
  const named = name === '' ? '' : ` (${name})`;
  switch (gpu) {
    case 'hardware':
      return `WebGPU has a graphics processor here${named}.`;
    case 'software':
      return `The CPU computes WebGPU here${named}.`;
    case 'none':
      return 'This browser has no WebGPU, or no graphics processor that it may use.';
  }
}

function ofEngine(engine: TextEngineName | null, gpu: GpuKind, hasF16: boolean): string[] {
  switch (engine) {
    case 'webllm':
      return [
        gpu === 'hardware' ? 'WebLLM writes text on it.' : 'The site allows no engine but WebLLM.',
        ...(hasF16 ? [] : ['It does not compute in 16 bits: models need a 32-bit variant.']),
      ];
    case 'llamacpp':
      return gpu === 'hardware'
        ? ['The site allows no engine but llama.cpp, which writes text on the CPU.']
        : ['llama.cpp writes text on the CPU.'];
    case null:
      return ['The site allows no engine but WebLLM, which needs one.'];
  }
}
