import { BATCH_TOKENS } from '../../../../core/files/gguf/gguf-memory.ts';
import type { Llama } from '../llama.ts';
import { MOST_EXACT } from './gpu-decoder.ts';
import type { GpuModule } from './gpu-module.ts';
import { finished, requireWhole } from './gpu-work.ts';

/** Tokens of a context, whose kernels are those of longer ones: llama.cpp makes none shorter. */
const CONTEXT = 256;
/** Sizes of batches that need different kernels: up to MOST_EXACT tokens, one each; then all need those of a prompt. */
const BATCHES = [...Array.from({ length: MOST_EXACT }, (_, index) => index + 1), BATCH_TOKENS];

/**
 * Computes some tokens with a model whose weights may be missing, so that the GPU compiles the kernels of its answers. Their
 * KV cache is thrown away: what is not a number would spoil every later answer.
 *
 * @throws GpuFailure if the GPU cannot compute the model
 */
export async function compileKernels(gpu: GpuModule, llama: Llama): Promise<void> {
  const context = await finished(gpu, () => llama.newContext(CONTEXT));
  requireWhole(gpu, context);
  for (const tokens of BATCHES) {
    await finished(gpu, () => llama.decode(context, Array<number>(tokens).fill(0), 0, 1));
  }
  llama.freeContext(context);
}
