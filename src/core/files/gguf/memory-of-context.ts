/** Memory that a GGUF model takes, estimated from its header. */
export interface GgufMemory {
  /** The tensors, bytes. */
  weightBytes: number;
  /** For each token of a context: KV cache and masks, bytes. */
  tokenBytes: number;
  /**
   * The number that takes the place of `tokenBytes` if the KV cache is in Q8_0; undefined: the model cannot have such a
   * cache, or a build that knew none has read the header.
   */
  q8TokenBytes?: number;
  /** Everything else: buffers for computing, tokenizer, the program itself; bytes. */
  bufferBytes: number;
}

/** What a 32-bit WebAssembly module can address, bytes. */
export const ADDRESSABLE_BYTES = 2 ** 32;

/**
 * Memory that a model takes with one conversation of this length, bytes.
 *
 * @param contextLength - tokens
 */
export function memoryFor(memory: GgufMemory, contextLength: number): number {
  const { weightBytes, tokenBytes, bufferBytes } = memory;
  return weightBytes + tokenBytes * contextLength + bufferBytes;
}
