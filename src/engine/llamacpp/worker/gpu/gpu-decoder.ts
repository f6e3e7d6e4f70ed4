import { BATCH_TOKENS } from '../../../../core/files/gguf/gguf-memory.ts';
import type { Batch } from '../batches/batch.ts';
import type { Llama } from '../llama.ts';
import { LlamaError } from '../llama-error.ts';
import type { Decoder } from '../prompts/read-prompt.ts';
import { asGpuFailure, GpuFailure } from './gpu-failure.ts';
import type { GpuModule } from './gpu-module.ts';

/** In tokens. A context reserves memory for the largest batch: for SmolLM2 with 8,192 tokens, 7 % more than for 32. */
export const LARGEST_BATCH = 256;
/** After a full batch that took less, batches are doubled; after one that took more, they are halved. Milliseconds. */
const QUICK_MS = 50;
const SLOW_MS = 200;
/** ggml multiplies so many tokens by weights as it multiplies one. For more it has other kernels. */
export const MOST_EXACT = 4;
/** A KV cache is read up to a multiple of so many tokens, and the kernels divide that among themselves. */
const WINDOW = 256;

type GpuLlama = Pick<Llama, 'decode' | 'decodeImage' | 'decodeTogether' | 'encode' | 'logits'>;

/**
 * Computes tokens on a GPU. Prompts are computed in batches as large as it computes soon: a fast one is busy only with many
 * tokens, and on a slow one an abort must not wait for them. Tokens of answers are computed in batches so small that each
 * has the bits that it has alone, as far as the GPU has shown that. All methods throw GpuFailure.
 */
export class GpuDecoder implements Decoder {
  readonly #llama: GpuLlama;
  readonly #gpu: Pick<GpuModule, 'finish'>;
  #batchSize = BATCH_TOKENS;
  /** How many tokens of answers a batch may have. */
  #mostExact = MOST_EXACT;
  /** The batches whose tokens had the bits that they have alone: how many tokens each context has. */
  readonly #exact = new Set<string>();

  constructor(llama: GpuLlama, gpu: Pick<GpuModule, 'finish'>) {
    this.#llama = llama;
    this.#gpu = gpu;
  }

  get batchSize(): number {
    return this.#batchSize;
  }

  mostAhead(held: number, writers: number): number {
    const most = Math.max(1, Math.floor(this.#mostExact / writers));
    return Math.min(most, WINDOW - (held % WINDOW)) - 1;
  }

  async decode(...batch: Parameters<Llama['decode']>): Promise<void> {
    const [context, tokens, , outputs] = batch;
    const begun = performance.now();
    await this.#computed(() => this.#llama.decode(...batch));
    this.#requireNumbers(context, outputs);
    if (tokens.length === this.#batchSize) this.#adapt(performance.now() - begun);
  }

  /** @throws LlamaError if several contexts cannot be computed at once, and can one by one; GpuFailure */
  async decodeTogether(batches: readonly Batch[]): Promise<boolean> {
    let isWhole = true;
    for (const group of groups(batches, this.#mostExact)) {
      if (!(await this.#decodeExactly(group))) isWhole = false;
    }
    return isWhole;
  }

  async decodeImage(...batch: Parameters<Llama['decodeImage']>): Promise<void> {
    const [context, , , , wantsLogits] = batch;
    await this.#computed(() => this.#llama.decodeImage(...batch));
    this.#requireNumbers(context, wantsLogits ? 1 : 0);
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

  /** @returns whether all tokens are computed; if not, the first one of each context is */
  async #decodeExactly(group: readonly Batch[]): Promise<boolean> {
    const size = tokensOf(group);
    if (size > this.#mostExact) return this.#decodeFirst(group);
    const shape = group.map(({ tokens }) => tokens.length).join();
    if (size === 1 || this.#exact.has(shape)) {
      await this.#decodeGroup(group);
      return true;
    }
    if (!(await this.#isExact(group))) {
      // A driver may compile the kernel for several tokens so that it rounds elsewhere.
      this.#mostExact = size - 1;
      return this.#decodeFirst(group);
    }
    this.#exact.add(shape);
    return true;
  }

  /** Computes the tokens one by one and then at once. @returns whether both gave the same logits */
  async #isExact(group: readonly Batch[]): Promise<boolean> {
    const alone: Float32Array[] = [];
    for (const { context, tokens, position } of group) {
      for (const [index, token] of tokens.entries()) {
        await this.decode(context, [token], position + index, 1);
        alone.push(this.#llama.logits(context, 0).slice());
      }
    }
    await this.#decodeGroup(group);
    const together = group.flatMap(({ context, tokens }) =>
      tokens.map((_, index) => this.#llama.logits(context, tokens.length - 1 - index)),
    );
    return together.every((logits, index) => isSame(logits, alone[index]));
  }

  async #decodeFirst(group: readonly Batch[]): Promise<false> {
    for (const { context, tokens, position } of group) {
      await this.decode(context, tokens.slice(0, 1), position, 1);
    }
    return false;
  }

  async #decodeGroup(group: readonly Batch[]): Promise<void> {
    const [first, ...others] = group;
    if (first && others.length === 0) {
      const { context, tokens, position } = first;
      return this.decode(context, tokens, position, tokens.length);
    }
    try {
      this.#llama.decodeTogether(group);
      await this.#gpu.finish();
    } catch (error) {
      if (error instanceof LlamaError && error.failure !== 'broken') throw error;
      const failure = asGpuFailure(error);
      // There is no memory for a context that computes for the others; they still work.
      throw failure.isMemory ? new LlamaError('no_memory', failure.message) : failure;
    }
    for (const { context, tokens } of group) this.#requireNumbers(context, tokens.length);
  }

  #done<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw asGpuFailure(error);
    }
  }

  async #computed(compute: () => void): Promise<void> {
    this.#done(compute);
    await this.#gpu.finish();
  }

  /** @param outputs - how many tokens have logits */
  #requireNumbers(context: number, outputs: number): void {
    for (let before = 0; before < outputs; before++) {
      let sum = 0;
      for (const logit of this.#llama.logits(context, before)) sum += logit;
      if (Number.isNaN(sum)) throw new GpuFailure('The GPU computed no numbers.', 'final');
    }
  }
}

/**
 * Divides the batches into groups that are computed at once. Only the first group has several contexts: the logits of such
 * a group are lost with the next one.
 */
function groups(batches: readonly Batch[], most: number): Batch[][] {
  const shared: Batch[] = [];
  const alone: Batch[][] = [];
  for (const batch of batches.toSorted((a, b) => a.tokens.length - b.tokens.length)) {
    if (tokensOf(shared) + batch.tokens.length <= most) shared.push(batch);
    else alone.push([batch]);
  }
  return shared.length > 0 ? [shared, ...alone] : alone;
}

function tokensOf(group: readonly Batch[]): number {
  return group.reduce((sum, { tokens }) => sum + tokens.length, 0);
}

function isSame(logits: Float32Array, others: Float32Array | undefined): boolean {
  return logits.every((logit, token) => logit === others?.[token]);
}
