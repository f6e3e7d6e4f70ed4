import type { GgufHeader, GgufTensor } from '../../../../core/files/gguf/gguf-header.ts';
import { tensorsOnGpu } from '../../../../core/files/gguf/gguf-on-gpu.ts';
import { TENSOR_TYPES } from '../../../../core/files/gguf/llamacpp-build.ts';
import { tensorBytes } from '../../../../core/files/gguf/tensor-bytes.ts';
import { ModuleCalls } from '../module-calls.ts';
import type { GpuChecks } from './gpu-checks.ts';
import { asGpuFailure, GpuFailure } from './gpu-failure.ts';
import type { GpuFiles } from './gpu-files.ts';
import type { GpuModule } from './gpu-module.ts';

/** The largest normalised mean squared error that counts as rounding. Right GPUs have up to 4e-7. */
const MOST_ERROR = 1e-2;
/** Rows of weights that are multiplied. */
const ROWS = 64;
/** Vectors that they are multiplied by. A single one has a kernel of its own. */
const VECTORS = [1, 32];

/** A matrix of the model, and the file that it is in. */
interface Weights {
  tensor: GgufTensor;
  part: number;
}

/**
 * Lets the GPU multiply some of the model's weights of each type by random vectors, and compares. There are drivers that
 * compute random numbers without any error.
 *
 * @param checks - what is known of this GPU, and gets what is found
 * @throws GpuFailure if a product is wrong
 */
export async function checkGpu(gpu: GpuModule, files: GpuFiles, checks: GpuChecks): Promise<void> {
  // Without the database, the GPU is checked again.
  const known = await checks.read().catch(() => new Set<number>());
  for (const weights of widestOfEachType(files.headers)) {
    const { type } = weights.tensor;
    if (known.has(type)) continue;
    for (const vectors of VECTORS) {
      const error = await errorOf(gpu, files, weights, vectors);
      // An error that is not a number is wrong, too.
      if (error < MOST_ERROR) continue;
      const name = TENSOR_TYPES.get(type)?.name;
      const message = `The GPU computes wrong products of ${name} weights: their error is ${error}.`;
      throw new GpuFailure(message, 'final');
    }
    known.add(type);
  }
  await checks.keep(known).catch(() => undefined);
}

/** For each type of weights, the matrix with the longest rows. */
function widestOfEachType(headers: readonly GgufHeader[]): Iterable<Weights> {
  const onGpu = new Set(tensorsOnGpu(headers));
  const widest = new Map<number, Weights>();
  for (const [part, { tensors }] of headers.entries()) {
    for (const tensor of tensors) {
      const isMatrix = isMatrices(tensor) && !isInteger(tensor.type);
      const known = widest.get(tensor.type)?.tensor;
      const isWider = !known || columnsOf(tensor) > columnsOf(known);
      if (isMatrix && isWider && onGpu.has(tensor)) widest.set(tensor.type, { tensor, part });
    }
  }
  return widest.values();
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

/** The normalised mean squared error of a product. */
async function errorOf(
  gpu: GpuModule,
  files: GpuFiles,
  { tensor, part }: Weights,
  vectors: number,
): Promise<number> {
  const { name, type, offset, shape } = tensor;
  const columns = columnsOf(tensor);
  const rows = Math.min(shape.at(-2) ?? 0, ROWS);
  const weights = files.read(part, offset, tensorBytes({ name, type, shape: [rows, columns] }));
  const calls = new ModuleCalls(gpu.module);
  try {
    calls.withBytes(weights, (pointer) =>
      calls.check(gpu.module._lc_begin_check(type, columns, rows, pointer, vectors)),
    );
    await gpu.finish();
  } catch (error) {
    throw asGpuFailure(error);
  }
  return gpu.module._lc_end_check();
}
