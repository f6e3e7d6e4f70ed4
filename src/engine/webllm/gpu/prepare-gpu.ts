import type { GpuDevices } from './gpu-devices.ts';
import { installGpuKernels } from './gpu-kernels.ts';
import { quickenReads } from './quick-reads.ts';

/**
 * Prepares this realm's WebGPU for WebLLM, before any device is requested.
 *
 * @param devices - observes the devices
 * @param isSlowToTell - whether the browser is slow to tell that the GPU is done
 */
export function prepareGpu(devices: GpuDevices, isSlowToTell: boolean): void {
  installGpuKernels();
  devices.watch(GPUAdapter.prototype);
  if (isSlowToTell) quickenReads(GPUAdapter.prototype);
}
