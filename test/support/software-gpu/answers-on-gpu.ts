import { vi } from 'vitest';
import makeLlama from '../../../models/llamacpp/built/llamacpp-gpu.js';
import type { LlamaGpu } from '../../../models/llamacpp/module.ts';
import type { Batch } from '../../../src/engine/llamacpp/worker/batches/batch.ts';
import { GpuDecoder } from '../../../src/engine/llamacpp/worker/gpu/gpu-decoder.ts';
import { Llama } from '../../../src/engine/llamacpp/worker/llama.ts';
import { answersOf } from '../../unit/support/models/real-answers.ts';

const PATH = '/model.gguf';
const BATCH = 32;

/** A model on a GPU, with functions that write answers, and the batches that these were computed in. */
export async function openOnGpu(file: Uint8Array, gpu: LlamaGpu) {
  const module = await makeLlama({ gpu });
  module.addFileToRead(PATH, file.length, (offset, bytes) => file.subarray(offset, offset + bytes));
  const llama = new Llama(module, [PATH], BATCH);
  const finish = () => module.finishGpuWork();
  await finish();
  const batches: (readonly Batch[])[] = [];
  class NotedDecoder extends GpuDecoder {
    override decodeTogether(given: readonly Batch[]): Promise<boolean> {
      batches.push(given);
      return super.decodeTogether(given);
    }
  }
  const decoder = new NotedDecoder(llama, { finish });
  /** Has KV caches of its own. */
  const answers = (mostDrafted: number) => answersOf(llama, decoder, mostDrafted);
  return { answers, batches, decoder };
}

/** Lets each batch take so long that the next one is as large: the bits of a prompt depend on how it is divided. */
export function holdBatchSize(): void {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 100));
}
