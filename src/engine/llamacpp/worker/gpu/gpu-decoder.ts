import type { Llama } from '../llama.ts';
import type { Decoder } from '../read-prompt.ts';
import { asGpuFailure, GpuFailure } from './gpu-failure.ts';
import type { GpuModule } from './gpu-module.ts';

type GpuLlama = Pick<Llama, 'decode' | 'decodeImage' | 'encode' | 'logits'>;

/** Computes tokens on a GPU. The projector for images computes on the CPU. All methods throw GpuFailure. */
export class GpuDecoder implements Decoder {
  readonly #llama: GpuLlama;
  readonly #gpu: Pick<GpuModule, 'finish'>;

  constructor(llama: GpuLlama, gpu: Pick<GpuModule, 'finish'>) {
    this.#llama = llama;
    this.#gpu = gpu;
  }

  async decode(...batch: Parameters<Llama['decode']>): Promise<void> {
    const [context, , , outputs] = batch;
    await this.#computed(() => this.#llama.decode(...batch), context, outputs > 0);
  }

  async decodeImage(...batch: Parameters<Llama['decodeImage']>): Promise<void> {
    const [context, , , , wantsLogits] = batch;
    await this.#computed(() => this.#llama.decodeImage(...batch), context, wantsLogits);
  }

  encode(milliseconds: number): number {
    return this.#llama.encode(milliseconds, 1);
  }

  async #computed(compute: () => void, context: number, wantsLogits: boolean): Promise<void> {
    try {
      compute();
    } catch (error) {
      throw asGpuFailure(error);
    }
    await this.#gpu.finish();
    if (!wantsLogits) return;
    let sum = 0;
    for (const logit of this.#llama.logits(context)) sum += logit;
    if (Number.isNaN(sum)) throw new GpuFailure('The GPU computed no numbers.', true);
  }
}
