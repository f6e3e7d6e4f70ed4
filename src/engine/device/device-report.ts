import type { DeviceReport, GpuKind, TextEngineName } from '../../core/realms/device-report.ts';
import { variantId } from '../../core/catalog/variant.ts';
import type { Device } from '../../core/fit/device-fit.ts';
import { cpuReason, type CpuReason } from '../../core/fit/gguf-device.ts';
import { MOST_GPU_FAILURES, type LoadRecord } from '../../core/fit/load-record.ts';

interface Facts extends Pick<DeviceReport, 'host' | 'threads'> {
  /** Name of the GPU; empty: the browser does not tell. */
  gpuName: string;
  isolated: boolean;
}

/** Describes which engine writes text on this device, and why, for people. */
export function deviceReport(
  device: Device & { gpu: GpuKind; memoryBudget: number },
  { host, gpuName, isolated, threads }: Facts,
): DeviceReport {
  const { gpu, hasF16 = false, engines, memoryBudget } = device;
  const engine = preferred(gpu, engines);
  const onCpu = cpuReason(device);
  return {
    gpu,
    shaderF16: hasF16,
    engine,
    llamacpp: onCpu ? 'wasm' : 'webgpu',
    host,
    isolated,
    threads,
    memoryBudget,
    ...(gpuName !== '' && { gpuName }),
    reason: [ofGpu(gpu, gpuName), ...ofEngine(engine, device, onCpu)].join(' '),
  };
}

/** The report with the models of llama.cpp that compute on the CPU because the GPU has failed with them. */
export function withGpuFailures(report: DeviceReport, loads: readonly LoadRecord[]): DeviceReport {
  const ofLlamaCpp = variantId('llamacpp', '');
  const failures = loads.filter(
    ({ variant, gpuFailures }) =>
      variant.startsWith(ofLlamaCpp) && gpuFailures >= MOST_GPU_FAILURES,
  );
  const told = failures.map(
    ({ model, gpuFailure = 'it was lost' }) =>
      `The CPU computes '${model}', because the GPU has failed: ${gpuFailure}`,
  );
  return { ...report, reason: [report.reason, ...told].join(' ') };
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

function ofEngine(
  engine: TextEngineName | null,
  { gpu, hasF16 }: Device,
  onCpu: CpuReason | undefined,
): string[] {
  switch (engine) {
    case 'webllm':
      return [
        gpu === 'hardware' ? 'WebLLM writes text on it.' : 'The site allows no engine but WebLLM.',
        ...(hasF16 ? [] : ['It does not compute in 16 bits: models need a 32-bit variant.']),
      ];
    case 'llamacpp':
      if (!onCpu) return ['llama.cpp writes text on it.'];
      return gpu === 'hardware'
        ? [
            `The site allows no engine but llama.cpp, which writes text on the CPU. ${onCpu.message}`,
          ]
        : ['llama.cpp writes text on the CPU.'];
    case null:
      return ['The site allows no engine but WebLLM, which needs one.'];
  }
}
