import { BATCH_TOKENS } from '../../../../core/files/gguf/gguf-memory.ts';
import type { Batch } from '../batches/batch.ts';
import type { Llama } from '../llama.ts';
import type { Decoder } from '../prompts/read-prompt.ts';
import { asGpuFailure, GpuFailure } from './gpu-failure.ts';
import type { GpuModule } from './gpu-module.ts';

/** In tokens. A context reserves memory for the largest batch: for SmolLM2 with 8,192 tokens, 7 % more than for 32. */
export const LARGEST_BATCH = 256;
/** After a full batch that took less, batches are doubled; after one that took more, they are halved. Milliseconds. */
const QUICK_MS = 50;
const SLOW_MS = 200;

type GpuLlama = Pick<Llama, 'decode' | 'decodeImage' | 'encode' | 'logits'>;

/**
 * Computes tokens on a GPU, in batches as large as it computes soon: a fast one is busy only with many tokens, and on a
 * slow one an abort must not wait for them. All methods throw GpuFailure.
 */
export class GpuDecoder implements Decoder {
  readonly #llama: GpuLlama;
  readonly #gpu: Pick<GpuModule, 'finish'>;
  #batchSize = BATCH_TOKENS;

  constructor(llama: GpuLlama, gpu: Pick<GpuModule, 'finish'>) {
    this.#llama = llama;
    this.#gpu = gpu;
  }

  get batchSize(): number {
    return this.#batchSize;
  }

  async decode(...batch: Parameters<Llama['decode']>): Promise<void> {
    const [context, tokens, , outputs] = batch;
    const begun = performance.now();
    await this.#computed(() => this.#llama.decode(...batch), context, outputs > 0);
    if (tokens.length === this.#batchSize) this.#adapt(performance.now() - begun);
  }

  async decodeTogether(batches: readonly Batch[]): Promise<void> {
    for (const { context, tokens, position } of batches) {
      await this.decode(context, tokens, position, tokens.length);
    }
  }

  async decodeImage(...batch: Parameters<Llama['decodeImage']>): Promise<void> {
    const [context, , , , wantsLogits] = batch;
    await this.#computed(() => this.#llama.decodeImage(...batch), context, wantsLogits);
  }

  async encode(milliseconds: number): Promise<number> {
    const left = this.#done(() => this.#llama.encode(milliseconds, 1));
    // The vectors of the image are in memory only then.
    await this.#gpu.finish();
    return left;
  }

  #adapt(milliseconds: number): void {
    if (milliseconds < QUICK_MS) this.#batchSize = Math.min(2 * this.#batchSize, LARGEST_BATCH);
    if (milliseconds > SLOW_MS) this.#batchSize = Math.max(this.#batchSize / 2, BATCH_TOKENS);
  }

  #done<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw asGpuFailure(error);
    }
  }

  async #computed(compute: () => void, context: number, wantsLogits: boolean): Promise<void> {
    this.#done(compute);
    await this.#gpu.finish();
    if (!wantsLogits) return;
    let sum = 0;
    for (const logit of this.#llama.logits(context)) sum += logit;
    if (Number.isNaN(sum)) throw new GpuFailure('The GPU computed no numbers.', 'final');
  }
}
