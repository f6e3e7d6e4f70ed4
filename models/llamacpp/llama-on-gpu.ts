import makeLlama from './built/llamacpp-gpu.js';
import { LlamaInNode, type Files } from './llama-in-node.ts';
import type { LlamaGpu, LlamaGpuModule } from './module.ts';

/** Part of a matrix of weights, as it is in its file. */
interface Weights {
  /** ggml's number. */
  type: number;
  columns: number;
  rows: number;
  bytes: Uint8Array;
}

/** llama.cpp on a GPU, in Node. Its files stay outside the module's memory. */
export class LlamaOnGpu extends LlamaInNode<LlamaGpuModule> {
  /** Starts a module with the model in these files, which are its parts in order. */
  static async open(files: Files, gpu?: LlamaGpu): Promise<LlamaOnGpu> {
    const module = await makeLlama(gpu ? { gpu } : {});
    const llama = new LlamaOnGpu(module);
    for (const [path, bytes] of Object.entries(files)) {
      const read = (offset: number, length: number) => bytes.subarray(offset, offset + length);
      module.addFileToRead(path, bytes.length, read);
    }
    llama.loadPaths(Object.keys(files));
    await module.finishGpuWork();
    return llama;
  }

  /** Like `decode`. The logits are there when it resolves. */
  async compute(...batch: Parameters<LlamaInNode['decode']>): Promise<number> {
    const result = this.decode(...batch);
    await this.module.finishGpuWork();
    return result;
  }

  /**
   * Loads the model's projector into the GPU's memory.
   *
   * @param side - no image will have more pixels than a square of this side
   */
  async openProjector(file: Uint8Array, side = 1024): Promise<void> {
    const read = (offset: number, length: number) => file.subarray(offset, offset + length);
    this.module.addFileToRead('/mmproj.gguf', file.length, read);
    this.loadProjector('/mmproj.gguf', (text) => this.module._lc_load_projector_on_gpu(text, side));
    await this.module.finishGpuWork();
  }

  /** Like `encode`. */
  async encodePiece(image: number, piece: number): Promise<number> {
    this.beginEncoding(image, piece);
    for (let steps = 1; ; steps++) {
      const left = this.checked(this.module._lc_encode(0, 1));
      await this.module.finishGpuWork();
      if (left === 0) return steps;
    }
  }

  /** Like `decodeImage`. */
  async computeImage(...batch: Parameters<LlamaInNode['decodeImage']>): Promise<number> {
    const result = this.decodeImage(...batch);
    await this.module.finishGpuWork();
    return result;
  }

  /** Like `embed`. */
  async embedTexts(context: number, texts: number[][]): Promise<number[][]> {
    this.startEmbedding(context, texts);
    await this.module.finishGpuWork();
    return this.vectors(context, texts.length);
  }

  protected override settled(): Promise<void> {
    return this.module.finishGpuWork();
  }

  /** @returns the normalised mean squared error of a product of these weights and random vectors */
  async check({ type, columns, rows, bytes }: Weights, tokens: number): Promise<number> {
    const pointer = this.module._malloc(bytes.length);
    this.module.HEAPU8.set(bytes, pointer);
    this.checked(this.module._lc_begin_check(type, columns, rows, pointer, tokens));
    this.module._free(pointer);
    await this.module.finishGpuWork();
    return this.module._lc_end_check();
  }
}
