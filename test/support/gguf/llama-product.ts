import createModule from '../../../models/llamacpp/built/llamacpp.js';
import { WEIGHT_ALIGNMENT } from '../../../src/core/files/gguf/gguf-support.ts';

/** The build of llama.cpp that pages get, in Node. Its memory only grows. */
export interface LlamaProduct {
  /** @returns why the model could not be loaded, in llama.cpp's words; undefined: it is loaded */
  load(parts: readonly Uint8Array[]): string | undefined;
  /**
   * Makes a context, and computes its first tokens.
   *
   * @param hasQ8 - whether its KV cache is in Q8_0
   * @throws Error with llama.cpp's words
   */
  compute(contextLength: number, tokens: number, hasQ8?: boolean): void;
  /** Makes a context for texts, and computes one. @throws Error with llama.cpp's words */
  embed(contextLength: number): void;
  /** Memory of the whole module. */
  readonly memoryBytes: number;
}

export async function openLlamaProduct(): Promise<LlamaProduct> {
  const quiet = () => {};
  const module = await createModule({ print: quiet, printErr: quiet });
  const lastError = () => {
    const bytes = module.HEAPU8.subarray(module._lc_error() >>> 0);
    return new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)));
  };
  const require = (result: number) => {
    if (result < 0) throw new Error(lastError());
    return result;
  };
  const allocate = (bytes: Uint8Array) => {
    const pointer = module._malloc(bytes.length) >>> 0;
    module.HEAPU8.set(bytes, pointer);
    return pointer;
  };
  let files = 0;
  const allocateAligned = (bytes: Uint8Array) => {
    const pointer = module._malloc(bytes.length + WEIGHT_ALIGNMENT) >>> 0;
    const start = Math.ceil(pointer / WEIGHT_ALIGNMENT) * WEIGHT_ALIGNMENT;
    module.HEAPU8.set(bytes, start);
    return start;
  };
  return {
    load(parts) {
      const paths = parts.map((bytes) => {
        const path = `/${files++}.gguf`;
        // Pages do this, too: a file outside the module's memory would be copied there.
        module.addFileInMemory(path, allocateAligned(bytes), bytes.length);
        return `${path}\n`;
      });
      const pointer = allocate(new TextEncoder().encode(`${paths.join('')}\0`));
      return module._lc_load(pointer) < 0 ? lastError() : undefined;
    },
    compute(contextLength, count, hasQ8 = false) {
      module._lc_quantize_cache(Number(hasQ8));
      const context = require(module._lc_new_context(contextLength, count, 1));
      const tokens = allocate(new Uint8Array(Int32Array.from({ length: count }, () => 1).buffer));
      require(module._lc_decode(context, tokens, count, 0, 1));
    },
    embed(contextLength) {
      const context = require(module._lc_new_embedder(contextLength, 1, 1));
      const tokens = allocate(new Uint8Array(new Int32Array(contextLength).fill(1).buffer));
      const lengths = allocate(new Uint8Array(Int32Array.of(contextLength).buffer));
      require(module._lc_embed(context, tokens, lengths, 1));
    },
    get memoryBytes() {
      return module.HEAPU8.buffer.byteLength;
    },
  };
}
