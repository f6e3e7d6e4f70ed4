import { totalBytes, type Variant } from '../../core/stores/variant.ts';
import type { InstalledModel } from '../weights/installed-model.ts';

/** What a device tells of its memory. */
export interface MemoryFacts {
  /** Main memory, rounded down, GiB; undefined where the browser does not tell. */
  deviceMemory?: number | undefined;
  /** The largest buffer that the GPU makes, bytes; undefined where that is not needed, or no GPU is there. */
  maxBufferSize?: number | undefined;
}

const GIB = 2 ** 30;
/** Without a word about the main memory, no more than this, bytes: it may be a phone. */
const MOST_WHERE_UNKNOWN = 4 * GIB;

/**
 * Memory that models may take together unless the site says so, bytes. No browser tells how much a GPU
 * has: half of the main memory is what most can use, of their own or shared. Where too much is asked of
 * one nevertheless, the load that fails makes room for itself.
 */
export function defaultMemoryBudget({ deviceMemory, maxBufferSize = 0 }: MemoryFacts): number {
  if (deviceMemory !== undefined) return (deviceMemory * GIB) / 2;
  return Math.min(Math.max(maxBufferSize, GIB), MOST_WHERE_UNKNOWN);
}

/** What this browser tells of its memory. */
export async function readMemoryFacts(): Promise<MemoryFacts> {
  // Chromium alone has it, and no TypeScript library.
  const deviceMemory: unknown = Reflect.get(navigator, 'deviceMemory');
  if (typeof deviceMemory === 'number') return { deviceMemory };
  const gpu: GPU | undefined = navigator.gpu;
  const adapter = await gpu?.requestAdapter();
  return { maxBufferSize: adapter?.limits.maxBufferSize };
}

/** A model that writes: weights, and a KV cache of a few thousand tokens. */
const CHAT_FACTOR = 1.3;
/** One that speaks: its file, and the weights that are made of it. Measured of Piper and Kokoro. */
const SPEECH_FACTOR = 2.3;
/** And its worker, with ONNX Runtime and what that computes with, bytes. */
const SPEECH_WORKER = 150_000_000;

/** Memory of a loaded model, bytes: as the catalog says, else an estimate. */
export function memoryBytes({
  variant,
  installation,
}: Pick<InstalledModel, 'variant' | 'installation'>): number {
  return variant.needs.memoryBytes ?? Math.round(estimate(variant, totalBytes(installation.files)));
}

function estimate({ engine }: Variant, stored: number): number {
  switch (engine) {
    case 'webllm':
      return stored * CHAT_FACTOR;
    case 'onnx':
      return SPEECH_WORKER + stored * SPEECH_FACTOR;
  }
}
