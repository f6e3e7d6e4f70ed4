import type { LlamaGpu } from './module.ts';

/** A device, and what its adapter says of itself. */
export interface OpenedGpu extends LlamaGpu {
  info: GPUAdapterInfo;
}

/** The limits that decide how llama.cpp computes. A device has only the default ones unless it asks for more. */
const LIMITS = [
  'maxBufferSize',
  'maxStorageBufferBindingSize',
  'maxComputeInvocationsPerWorkgroup',
  'maxComputeWorkgroupSizeX',
  'maxComputeWorkgroupStorageSize',
  'maxComputeWorkgroupsPerDimension',
  'maxStorageBuffersPerShaderStage',
] as const;

/** The adapter of the fastest GPU; null: the browser has none, or none at the moment. */
export function fastestAdapter(gpu: GPU): Promise<GPUAdapter | null> {
  return gpu.requestAdapter({ powerPreference: 'high-performance' });
}

/**
 * Opens a GPU with all that llama.cpp can use of it.
 *
 * @returns undefined if it does not compute in 16 bits
 */
export async function openGpuDevice(adapter: GPUAdapter): Promise<OpenedGpu | undefined> {
  if (!adapter.features.has('shader-f16')) return undefined;
  const { limits, info } = adapter;
  const device = await adapter.requestDevice({
    requiredFeatures: (['shader-f16', 'subgroups'] as const).filter((name) =>
      adapter.features.has(name),
    ),
    requiredLimits: Object.fromEntries(LIMITS.map((name) => [name, limits[name]])),
  });
  return { device, info };
}
