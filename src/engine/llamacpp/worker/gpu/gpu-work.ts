import { GgufError } from '../../../../core/files/gguf/gguf-error.ts';
import { asGpuFailure, GpuFailure } from './gpu-failure.ts';
import type { GpuModule } from './gpu-module.ts';

/** Runs work of llama.cpp, and waits for the GPU. @throws GpuFailure; GgufError if the work does */
export async function finished<T>(gpu: GpuModule, work: () => T): Promise<T> {
  try {
    const result = work();
    await gpu.finish();
    return result;
  } catch (error) {
    throw error instanceof GgufError ? error : asGpuFailure(error);
  }
}

/** @throws GpuFailure if the CPU would have to compute a part of the context's graph, which the module cannot wait for */
export function requireWhole(gpu: GpuModule, context: number): void {
  if (gpu.module._lc_is_whole(context) === 1) return;
  throw new GpuFailure('llama.cpp lacks an operation of this model on GPUs.', 'final');
}
