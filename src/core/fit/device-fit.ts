import type { ComputeDevice, GpuKind, TextEngineName } from '../realms/device-report.ts';
import type { CatalogEntry } from '../catalog/catalog-entry.ts';
import { leastBytes } from './context-memory.ts';
import { MOST_GPU_FAILURES, recordOf, type LoadRecord } from './load-record.ts';
import type { KvCacheType } from '../realms/kv-cache-type.ts';
import type { Variant } from '../catalog/variant.ts';

/** Facts about a device that decide whether and how it runs a variant; undefined: unknown. */
export interface Device {
  gpu?: GpuKind;
  /** Whether the GPU has the feature `shader-f16`. */
  hasF16?: boolean;
  /** Whether it has the feature `subgroups`. */
  hasSubgroups?: boolean;
  /** The largest buffer that the GPU can bind, bytes. */
  bufferBytes?: number;
  /** Whether ONNX graphs that can run on the GPU do so. */
  onnxOnGpu?: boolean;
  /** What the site wants GGUF models to be computed by; undefined: what suits the device. */
  llamacppDevice?: ComputeDevice;
  /** Memory for all loaded models together, bytes. */
  memoryBudget?: number;
  /** Context length that the site wants for GGUF models that write text, tokens; undefined: what suits the device. */
  contextLength?: number;
  /** What the site wants of the KV caches of GGUF models that write text; undefined: `f16`. */
  kvCacheType?: KvCacheType;
  /** The engines that the site allows to write text; undefined: all. */
  engines?: readonly TextEngineName[];
  /** What went wrong with models on this device. */
  loads?: readonly LoadRecord[];
  /** How much more the browser lets the site store, bytes. */
  freeBytes?: number;
  /** Whether the engine outlives its pages. */
  outlives?: boolean;
}

/** The part of a GPUAdapter that decides what the GPU can run. */
export interface GpuFacts {
  features: { has(feature: string): boolean };
  limits: { maxBufferSize: number; maxStorageBufferBindingSize: number };
}

/**
 * Why a device does not run a variant, or not well.
 *
 * - `engine`: the site's option `engines` leaves out the variant's engine
 * - `webgpu`: the browser has no WebGPU, or no GPU that it may use
 * - `shader-f16`: the GPU lacks this feature
 * - `buffer-size`: the GPU cannot bind buffers as large as the model's
 * - `webgpu-failed`: the GPU ran out of memory with this model, could not compile it, or was lost twice
 * - `memory`: the model is larger than the memory budget, even with the shortest context
 * - `crashed`: its last load ended the tab
 * - `storage`: the browser gives less space than the rest of the download needs
 */
export type Obstacle =
  | 'engine'
  | 'webgpu'
  | 'shader-f16'
  | 'buffer-size'
  | 'webgpu-failed'
  | 'memory'
  | 'crashed'
  | 'storage';

/** The facts about a model that matter besides its variant. */
type Model = Pick<CatalogEntry, 'id' | 'contextLength'>;

export function gpuDevice({ features, limits }: GpuFacts): Device {
  return {
    hasF16: features.has('shader-f16'),
    hasSubgroups: features.has('subgroups'),
    bufferBytes: Math.min(limits.maxBufferSize, limits.maxStorageBufferBindingSize),
  };
}

/**
 * Why a device does not run a variant; empty: no obstacle is known.
 *
 * @param missingBytes - how much is still to be downloaded; undefined: unknown
 */
export function obstacles(
  model: Model,
  variant: Variant,
  device: Device,
  missingBytes?: number,
): Obstacle[] {
  return [
    ...refusals(variant, device),
    ...(isLess(device.bufferBytes, variant.needs.bufferBytes) ? (['buffer-size'] as const) : []),
    ...doubts(model, variant, device),
    ...(isLess(device.freeBytes, missingBytes) ? (['storage'] as const) : []),
  ];
}

/** Obstacles that make every attempt pointless. */
export function refusals(
  { engine, needs }: Variant,
  { engines, gpu, hasF16, onnxOnGpu }: Device,
): ('engine' | 'webgpu' | 'shader-f16')[] {
  if (engine === 'onnx') {
    // Only graphs with 16-bit numbers need a GPU.
    if (!needs.shaderF16) return [];
    if (onnxOnGpu === false) return ['webgpu'];
  } else {
    if (engine === 'builtin') return [];
    if (engines && !engines.includes(engine)) return ['engine'];
    if (engine === 'webllm' && gpu === 'none') return ['webgpu'];
  }
  return needs.shaderF16 && hasF16 === false ? ['shader-f16'] : [];
}

/**
 * How unfit the device is for the variant: 0 it should run, 1 it may fail, 2 it cannot run.
 * Missing storage does not count, because models can be removed.
 */
export function unfitness(model: Model, variant: Variant, device: Device): 0 | 1 | 2 {
  const found = obstacles(model, variant, device);
  if (refusals(variant, device).length > 0 || found.includes('buffer-size')) return 2;
  const hasDoubts = found.some((each) => each !== 'crashed') || isSpent(model, variant, device);
  return hasDoubts ? 1 : 0;
}

function doubts(model: Model, variant: Variant, device: Device): Obstacle[] {
  const found: Obstacle[] = [];
  const record = recordOf(device.loads, model.id, variant);
  const failures = record?.gpuFailures ?? 0;
  // llama.cpp computes on the CPU then: see `cpuReasonOf`.
  if (variant.engine !== 'llamacpp' && failures >= MOST_GPU_FAILURES) found.push('webgpu-failed');
  if (isLess(device.memoryBudget, leastBytes(variant, model.contextLength))) found.push('memory');
  if (record && record.crashes > 0) found.push('crashed');
  return found;
}

/** Whether its loads have crashed, and no smaller context is left to try. */
function isSpent({ id }: Model, variant: Variant, { loads }: Device): boolean {
  const crashes = recordOf(loads, id, variant)?.crashes ?? 0;
  // Only llama.cpp gets a smaller context after a crash.
  return crashes > (variant.engine === 'llamacpp' ? 1 : 0);
}

function isLess(available: number | undefined, needed: number | undefined): boolean {
  return available !== undefined && needed !== undefined && available < needed;
}
