import type { LlamaGpuModule } from '../../../../../models/llamacpp/module.ts';
import type { GgufTensor } from '../../../../core/files/gguf/gguf-header.ts';
import { tensorBytes } from '../../../../core/files/gguf/tensor-bytes.ts';
import { ModuleCalls, type Pointer } from '../module-calls.ts';

/** Most bytes that are written at once, a multiple of 4. */
const STAGE_BYTES = 1 << 20;

/** Writes the bytes of a GGUF file, which are given in order, into the tensors of the model that llama.cpp has opened. */
export class WeightWriter {
  readonly #module: LlamaGpuModule;
  readonly #calls: ModuleCalls;
  /** The tensors that lack bytes, in the file's order. */
  readonly #tensors: GgufTensor[];
  /** Memory for the bytes of one tensor. */
  readonly #stage: Pointer;
  #staged = 0;
  /** How many bytes of the file were given. */
  #position = 0;

  constructor(module: LlamaGpuModule, tensors: readonly GgufTensor[]) {
    this.#module = module;
    this.#calls = new ModuleCalls(module);
    this.#stage = this.#calls.allocate(STAGE_BYTES);
    this.#tensors = tensors.toSorted((a, b) => a.offset - b.offset);
  }

  /** @throws LlamaError */
  write(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length;) at += this.#take(bytes.subarray(at));
  }

  /** Frees its memory. */
  end(): void {
    this.#module._free(this.#stage);
  }

  /** @returns how many of the bytes it has taken */
  #take(bytes: Uint8Array): number {
    const [tensor] = this.#tensors;
    const start = tensor?.offset ?? Infinity;
    const isBetween = this.#position < start;
    const end = tensor && !isBetween ? start + tensorBytes(tensor) : start;
    const room = isBetween ? Infinity : STAGE_BYTES - this.#staged;
    const taken = bytes.subarray(0, Math.min(end - this.#position, room));
    this.#position += taken.length;
    if (!tensor || isBetween) return taken.length;
    this.#module.HEAPU8.set(taken, this.#stage + this.#staged);
    this.#staged += taken.length;
    if (this.#staged === STAGE_BYTES || this.#position === end) this.#flush(tensor);
    if (this.#position === end) this.#tensors.shift();
    return taken.length;
  }

  #flush({ name, offset }: GgufTensor): void {
    const from = this.#position - this.#staged - offset;
    this.#calls.withText(`${name}\0`, (text) =>
      this.#calls.check(this.#module._lc_fill_weights(text, from, this.#stage, this.#staged)),
    );
    this.#staged = 0;
  }
}
