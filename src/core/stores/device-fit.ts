import type { Variant } from './variant.ts';

/** What decides whether a device can run a variant; undefined: the device does not tell. */
export interface Device {
  /** Whether the GPU has the feature `shader-f16`. */
  hasF16?: boolean;
  /** The largest buffer that the GPU can bind, bytes. */
  bufferBytes?: number;
  /** How much more the browser lets the site store, bytes. */
  freeBytes?: number;
}

/** A GPUAdapter, as far as it decides what the GPU can run. */
export interface GpuFacts {
  features: { has(feature: string): boolean };
  limits: { maxBufferSize: number; maxStorageBufferBindingSize: number };
}

/**
 * `shader-f16`: the GPU lacks it. `buffer-size`: the GPU cannot bind buffers as large as the model's.
 * `storage`: the browser gives less space than the rest of the download needs.
 */
export type Obstacle = 'shader-f16' | 'buffer-size' | 'storage';

export function gpuDevice({ features, limits }: GpuFacts): Device {
  return {
    hasF16: features.has('shader-f16'),
    bufferBytes: Math.min(limits.maxBufferSize, limits.maxStorageBufferBindingSize),
  };
}

/**
 * Why a device cannot use a variant; empty: as far as the device tells, it can.
 *
 * @param missingBytes - how much is still to be downloaded; undefined: unknown
 */
export function obstacles(
  variant: Variant,
  missingBytes: number | undefined,
  device: Device,
): Obstacle[] {
  const found = gpuObstacles(variant, device);
  return isLess(device.freeBytes, missingBytes) ? [...found, 'storage'] : found;
}

/** Whether the device's GPU has what the variant needs. */
export function canRun(variant: Variant, device: Device): boolean {
  return gpuObstacles(variant, device).length === 0;
}

function gpuObstacles({ needs }: Variant, { hasF16, bufferBytes }: Device): Obstacle[] {
  const found: Obstacle[] = [];
  if (needs.shaderF16 && hasF16 === false) found.push('shader-f16');
  if (isLess(bufferBytes, needs.bufferBytes)) found.push('buffer-size');
  return found;
}

function isLess(available: number | undefined, needed: number | undefined): boolean {
  return available !== undefined && needed !== undefined && available < needed;
}
