import type { ByteRanges } from '../../../src/core/files/gguf/gguf-header.ts';

/** A file that is in memory. */
export function memoryRanges(bytes: Uint8Array, name = 'model.gguf'): ByteRanges {
  const read = (offset: number, length: number) => bytes.subarray(offset, offset + length);
  return { name, size: bytes.length, read };
}
