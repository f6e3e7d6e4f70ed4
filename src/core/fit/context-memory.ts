import { memoryFor, type GgufMemory } from '../files/gguf/memory-of-context.ts';
import type { Variant } from '../catalog/variant.ts';

/** llama.cpp rounds the size of a KV cache up to a multiple of this, tokens. */
const CONTEXT_STEP = 256;

/** A context is not cut below this, tokens: a shorter one is too short for a conversation. */
const LEAST_CONTEXT = 512;

/** The longest conversation for which the model fits into this much memory, tokens; 0 or less: none. */
export function tokensThatFit(
  { weightBytes, bufferBytes, tokenBytes }: GgufMemory,
  bytes: number,
): number {
  const steps = (bytes - weightBytes - bufferBytes) / tokenBytes / CONTEXT_STEP;
  return Math.floor(steps) * CONTEXT_STEP;
}

/** The shortest context that a model is loaded with, tokens. */
export function leastContext(contextLength: number): number {
  return Math.min(contextLength, LEAST_CONTEXT);
}

/** Memory that a variant takes with the shortest context, bytes; undefined: unknown. */
export function leastBytes(variant: Variant, contextLength: number): number | undefined {
  if (variant.engine === 'onnx') {
    const { needs, bytes } = variant;
    return needs.memoryBytes ?? (bytes === undefined ? undefined : onnxBytes(bytes));
  }
  if (variant.engine !== 'llamacpp' || !variant.memory) return undefined;
  return memoryFor(variant.memory, leastContext(contextLength));
}

/** Bytes in memory per byte of a graph's file: the file, and weights made from it. Measured with Piper and Kokoro. */
const ONNX_FACTOR = 2.3;
/** A worker with ONNX Runtime and its buffers, bytes. */
const ONNX_WORKER = 150_000_000;

/** Estimated memory of a model with ONNX graphs, bytes. @param stored - bytes of its files */
export function onnxBytes(stored: number): number {
  return ONNX_WORKER + stored * ONNX_FACTOR;
}
