import type { GgufHeader, GgufTensor } from '../../../../core/files/gguf/gguf-header.ts';
import { tensorsOnGpu } from '../../../../core/files/gguf/gguf-on-gpu.ts';
import { TENSOR_TYPES } from '../../../../core/files/gguf/llamacpp-build.ts';
import { tensorBytes } from '../../../../core/files/gguf/tensor-bytes.ts';

/** Most rows of a sample. */
const ROWS = 64;

/** Some rows of a matrix of a model. */
export interface WeightSample {
  /** ggml's number. */
  type: number;
  columns: number;
  rows: number;
  /** Resolves when they have arrived. */
  bytes: () => Promise<Uint8Array>;
}

/** A file that tells some of its bytes later. */
interface SampledFile {
  reserve(offset: number, bytes: number): () => Promise<Uint8Array>;
}

/** For each type of weights on the GPU, some rows of the matrix with the longest ones. */
export function weightSamples(
  files: readonly SampledFile[],
  headers: readonly GgufHeader[],
): WeightSample[] {
  const onGpu = new Set(tensorsOnGpu(headers));
  const widest = new Map<number, { tensor: GgufTensor; file: SampledFile }>();
  for (const [index, file] of files.entries()) {
    for (const tensor of headers[index]?.tensors ?? []) {
      const isMatrix = isMatrices(tensor) && !isInteger(tensor.type);
      const known = widest.get(tensor.type)?.tensor;
      const isWider = !known || columnsOf(tensor) > columnsOf(known);
      if (isMatrix && isWider && onGpu.has(tensor)) widest.set(tensor.type, { tensor, file });
    }
  }
  return Array.from(widest.values(), ({ tensor, file }) => sampleOf(tensor, file));
}

function sampleOf(tensor: GgufTensor, file: SampledFile): WeightSample {
  const { name, type, offset, shape } = tensor;
  const columns = columnsOf(tensor);
  const rows = Math.min(shape.at(-2) ?? 0, ROWS);
  const bytes = file.reserve(offset, tensorBytes({ name, type, shape: [rows, columns] }));
  return { type, columns, rows, bytes };
}

/** Whether a tensor is a matrix, or one for each expert. The weights of a convolution have rows of a few values. */
function isMatrices({ shape }: GgufTensor): boolean {
  return shape.length === 2 || shape.length === 3;
}

/** How long the rows of a matrix are. */
function columnsOf({ shape }: GgufTensor): number {
  return shape.at(-1) ?? 0;
}

function isInteger(type: number): boolean {
  return /^I\d/.test(TENSOR_TYPES.get(type)?.name ?? '');
}
