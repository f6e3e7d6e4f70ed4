import type { OpenedGpu } from '../../../../../models/llamacpp/gpu-device.ts';
import type { LlamaGpuModule } from '../../../../../models/llamacpp/module.ts';
import { asGpuFailure, GpuFailure } from './gpu-failure.ts';

/** Reads a Blob at once, which only workers can. */
export type ReadBlob = (blob: Blob) => ArrayBuffer;

/** llama.cpp on a GPU. */
export class GpuModule {
  readonly module: LlamaGpuModule;
  readonly readBlob: ReadBlob;
  /** What the adapter says of itself. */
  readonly info: OpenedGpu['info'];
  /** The largest tensor that the GPU can bind, bytes. */
  readonly mostBytes: number;
  /** Rejects when the device is lost. */
  readonly #lost: Promise<never>;
  /** What is wrong with our use of the GPU, by WebGPU's own checks. */
  #fault: string | undefined;
  /** Resolves when all calls of `finish` have ended so far. */
  #finished: Promise<unknown> = Promise.resolve();

  constructor(module: LlamaGpuModule, { device, info }: OpenedGpu, readBlob: ReadBlob) {
    const { maxBufferSize, maxStorageBufferBindingSize } = device.limits;
    this.module = module;
    this.readBlob = readBlob;
    this.info = info;
    this.mostBytes = Math.min(maxBufferSize, maxStorageBufferBindingSize);
    this.#lost = device.lost.then(({ message }) => {
      throw new GpuFailure(`The GPU was lost: ${message || 'no reason was given'}.`, 'passing');
    });
    this.#lost.catch(() => undefined);
    device.addEventListener('uncapturederror', ({ error }) => (this.#fault ??= error.message));
  }

  /**
   * Waits until the GPU has computed everything, and its results are in the module's memory.
   *
   * @throws GpuFailure
   */
  async finish(): Promise<void> {
    const finishing = this.#finish();
    this.#finished = Promise.allSettled([this.#finished, finishing]);
    await finishing;
    if (this.#fault === undefined) return;
    // If a call beside this one finds that there was no memory, this is only a consequence.
    await this.#finished;
    if (this.#fault !== undefined) throw new GpuFailure(this.#fault, 'final');
  }

  async #finish(): Promise<void> {
    try {
      await Promise.race([this.module.finishGpuWork(), this.#lost]);
    } catch (error) {
      const failure = asGpuFailure(error);
      // Uses of a buffer for which there is no memory are wrong, too.
      if (failure.isMemory) this.#fault = undefined;
      throw failure;
    }
  }
}
