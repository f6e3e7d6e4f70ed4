import { BATCH_TOKENS } from '../../../../core/files/gguf/gguf-memory.ts';
import type { Llama } from '../llama.ts';
import { MOST_EXACT } from './gpu-decoder.ts';
import type { GpuModule } from './gpu-module.ts';
import { finished, requireWhole } from './gpu-work.ts';

/** Tokens of a context, whose kernels are those of longer ones: llama.cpp makes none shorter. */
const CONTEXT = 256;
/** Sizes of batches that need different kernels: of a token and of a prompt, and then of a few tokens at once. */
const BATCHES = [1, BATCH_TOKENS, ...Array.from({ length: MOST_EXACT - 1 }, (_, at) => at + 2)];

/**
 * Computes some tokens with a model whose weights are missing, so that the GPU compiles the kernels of its answers. Their KV
 * cache is thrown away: what is not a number would spoil every later answer.
 *
 * @param isWaiting - whether weights are still missing; once they are there, answers compile what they need
 * @throws GpuFailure if the GPU cannot compute the model
 */
export async function compileKernels(
  gpu: GpuModule,
  llama: Llama,
  isWaiting: () => boolean,
): Promise<void> {
  if (!isWaiting()) return;
  const context = await finished(gpu, () => llama.newContext(CONTEXT));
  requireWhole(gpu, context);
  for (const tokens of BATCHES) {
    if (!isWaiting()) break;
    await finished(gpu, () => llama.decode(context, Array<number>(tokens).fill(0), 0, 1));
  }
  llama.freeContext(context);
}
