/** Bytes of the length before each text. */
export const LENGTH_BYTES = 8;

// Without `ignoreBOM`, it would drop the first character of a token that begins with U+FEFF.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** A list of texts in a GGUF header. Each is decoded on access: few texts of a vocabulary are needed. */
export class GgufTexts {
  readonly #bytes: Uint8Array;
  readonly #starts: Uint32Array;

  /** @param starts - where each text begins; its length is before it, as u64 */
  constructor(bytes: Uint8Array, starts: Uint32Array) {
    this.#bytes = bytes;
    this.#starts = starts;
  }

  get length(): number {
    return this.#starts.length;
  }

  at(index: number): string | undefined {
    const start = this.#starts[index];
    if (start === undefined) return undefined;
    const { buffer, byteOffset } = this.#bytes;
    const length = new DataView(buffer, byteOffset).getUint32(start - LENGTH_BYTES, true);
    return decodeText(this.#bytes.subarray(start, start + length));
  }

  all(): string[] {
    return Array.from(this.#starts, (_, index) => this.at(index) ?? '');
  }
}

export function decodeText(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}
