import type { ComputeDevice } from '../realms/device-report.ts';
import type { CatalogEntry } from '../catalog/catalog-entry.ts';
import type { GgufOnGpu, LlamaCppVariant } from '../catalog/variant.ts';
import type { Device } from './device-fit.ts';
import { MOST_GPU_FAILURES, recordOf } from './load-record.ts';

/** Why llama.cpp computes a model on the CPU. The message is for people. */
export interface CpuReason {
  /**
   * - `site`: the site's option `llamacppDevice` is `wasm`
   * - `webgpu`: the browser has no WebGPU, or no GPU that it may use
   * - `software`: the CPU computes WebGPU here
   * - `shader-f16`: the GPU lacks this feature
   * - `unsupported`: llama.cpp cannot compute this model's weights or architecture on a GPU
   * - `buffer-size`: the GPU cannot bind buffers as large as the model's
   * - `webgpu-failed`: the GPU computed wrong values, ran out of memory, or was lost twice
   */
  code:
    'site' | 'webgpu' | 'software' | 'shader-f16' | 'unsupported' | 'buffer-size' | 'webgpu-failed';
  message: string;
}

type GpuFacts = Pick<Device, 'gpu' | 'hasF16' | 'llamacppDevice'>;

/** Why no model of llama.cpp runs on this device's GPU; undefined: some do, as far as is known. */
export function cpuReason({ gpu, hasF16, llamacppDevice }: GpuFacts): CpuReason | undefined {
  if (llamacppDevice === 'wasm') return { code: 'site', message: 'The site chooses the CPU.' };
  if (gpu === undefined || gpu === 'none')
    return { code: 'webgpu', message: 'There is no WebGPU here.' };
  if (gpu === 'software' && llamacppDevice !== 'webgpu')
    return { code: 'software', message: 'The CPU computes WebGPU here.' };
  if (!hasF16) {
    return { code: 'shader-f16', message: 'The GPU does not compute in 16 bits (shader-f16).' };
  }
  return undefined;
}

/**
 * Why a GPU cannot compute a model of llama.cpp; undefined: it can, as far as the headers tell.
 *
 * @param bufferBytes - what the GPU can bind at most; undefined: unknown
 */
export function unfitForGpu(
  { lacks, tensorBytes }: GgufOnGpu,
  bufferBytes = Infinity,
): CpuReason | undefined {
  if (lacks !== undefined) {
    return { code: 'unsupported', message: `llama.cpp cannot compute ${lacks} on a GPU.` };
  }
  if (tensorBytes <= bufferBytes) return undefined;
  const message = `The GPU binds ${bufferBytes} bytes at most, and the model needs ${tensorBytes}.`;
  return { code: 'buffer-size', message };
}

/** Why llama.cpp runs a model on this device's CPU; undefined: it runs on the GPU. */
export function cpuReasonOf(
  { id }: Pick<CatalogEntry, 'id'>,
  variant: LlamaCppVariant,
  device: Device,
): CpuReason | undefined {
  const reason = cpuReason(device);
  if (reason) return reason;
  const unfit = variant.onGpu && unfitForGpu(variant.onGpu, device.bufferBytes);
  if (unfit) return unfit;
  const { gpuFailures = 0, gpuFailure } = recordOf(device.loads, id, variant) ?? {};
  if (gpuFailures < MOST_GPU_FAILURES) return undefined;
  return { code: 'webgpu-failed', message: gpuFailure ?? 'The GPU has failed.' };
}

/** What computes a model of llama.cpp on this device. */
export function ggufDevice(
  model: Pick<CatalogEntry, 'id'>,
  variant: LlamaCppVariant,
  device: Device,
): ComputeDevice {
  return cpuReasonOf(model, variant, device) ? 'wasm' : 'webgpu';
}
