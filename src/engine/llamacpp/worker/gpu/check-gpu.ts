import { TENSOR_TYPES } from '../../../../core/files/gguf/llamacpp-build.ts';
import { ModuleCalls } from '../module-calls.ts';
import type { GpuChecks } from './gpu-checks.ts';
import { asGpuFailure, GpuFailure } from './gpu-failure.ts';
import type { GpuModule } from './gpu-module.ts';
import type { WeightSample } from './weight-samples.ts';

/** The largest normalised mean squared error that counts as rounding. Right GPUs have up to 4e-7. */
const MOST_ERROR = 1e-2;
/** Vectors that they are multiplied by. A single one has a kernel of its own. */
const VECTORS = [1, 32];

/**
 * Lets the GPU multiply some of the model's weights of each type by random vectors, and compares. There are drivers that
 * compute random numbers without any error.
 *
 * @param checks - what is known of this GPU, and gets what is found
 * @throws GpuFailure if a product is wrong
 */
export async function checkGpu(
  gpu: GpuModule,
  samples: readonly WeightSample[],
  checks: GpuChecks,
): Promise<void> {
  // Without the database, the GPU is checked again.
  const known = await checks.read().catch(() => new Set<number>());
  for (const sample of samples) {
    const { type } = sample;
    if (known.has(type)) continue;
    const weights = await sample.bytes();
    for (const vectors of VECTORS) {
      const error = await errorOf(gpu, sample, weights, vectors);
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

/** The normalised mean squared error of a product. */
async function errorOf(
  gpu: GpuModule,
  { type, columns, rows }: WeightSample,
  weights: Uint8Array,
  vectors: number,
): Promise<number> {
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
