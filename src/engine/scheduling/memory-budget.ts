import { totalBytes, type Variant } from '../../core/stores/variant.ts';
import type { InstalledModel } from '../weights/installed-model.ts';

/** What a device reveals about its memory. */
export interface MemoryFacts {
  /** Main memory, rounded down, GiB; undefined if the browser does not tell. */
  deviceMemory?: number | undefined;
  /**
   * The largest buffer that the GPU allows, bytes; undefined if there is no GPU or no need to ask.
   */
  maxBufferSize?: number | undefined;
}

const GIB = 2 ** 30;
/** Upper limit if the main memory is unknown, bytes: the device may be a phone. */
const MOST_WHERE_UNKNOWN = 4 * GIB;

/**
 * Default budget for all models together, bytes. No browser tells how much memory a GPU has; most
 * can use half of the main memory, as their own or shared. If that is still too much, a load fails;
 * it then makes room and tries again.
 */
export function defaultMemoryBudget({ deviceMemory, maxBufferSize = 0 }: MemoryFacts): number {
  if (deviceMemory !== undefined) return (deviceMemory * GIB) / 2;
  return Math.min(Math.max(maxBufferSize, GIB), MOST_WHERE_UNKNOWN);
}

/** What this browser reveals about its memory. */
export async function readMemoryFacts(): Promise<MemoryFacts> {
  // Only Chromium has it, and TypeScript's libraries do not declare it.
  const deviceMemory: unknown = Reflect.get(navigator, 'deviceMemory');
  if (typeof deviceMemory === 'number') return { deviceMemory };
  const gpu: GPU | undefined = navigator.gpu;
  const adapter = await gpu?.requestAdapter();
  return { maxBufferSize: adapter?.limits.maxBufferSize };
}

/** A text model: weights, and a KV cache of a few thousand tokens. */
const CHAT_FACTOR = 1.3;
/**
 * A speech model: its file, and the weights that are made from it. Measured with Piper and Kokoro.
 */
const SPEECH_FACTOR = 2.3;
/** A speech model's worker with ONNX Runtime and its buffers, bytes. */
const SPEECH_WORKER = 150_000_000;

/** Memory that a loaded model takes, bytes; an estimate if the catalog does not know it. */
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
