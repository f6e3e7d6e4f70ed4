import { GgufError } from './gguf-error.ts';

/** The bytes at hand end before the value does. */
export class NeedsMoreBytes extends Error {
  /** Bytes from the start of the file up to the end of the value. */
  readonly needed: number;

  constructor(needed: number) {
    super(`The value ends at byte ${needed}.`);
    this.needed = needed;
  }
}

/**
 * Reads little-endian values one after the other from the first bytes of a file. Every method throws
 * NeedsMoreBytes if its value ends after them.
 */
export class ByteCursor {
  readonly #name: string;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  // Without `ignoreBOM`, it would drop the first character of a token that begins with U+FEFF.
  readonly #text = new TextDecoder('utf-8', { ignoreBOM: true });
  #offset = 0;

  /** @param name - of the file, for error messages */
  constructor(name: string, bytes: Uint8Array) {
    this.#name = name;
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Bytes from the start of the file. */
  get offset(): number {
    return this.#offset;
  }

  u8 = () => this.#view.getUint8(this.#take(1));
  i8 = () => this.#view.getInt8(this.#take(1));
  u16 = () => this.#view.getUint16(this.#take(2), true);
  i16 = () => this.#view.getInt16(this.#take(2), true);
  u32 = () => this.#view.getUint32(this.#take(4), true);
  i32 = () => this.#view.getInt32(this.#take(4), true);
  f32 = () => this.#view.getFloat32(this.#take(4), true);
  f64 = () => this.#view.getFloat64(this.#take(8), true);
  i64 = () => this.#safe(this.#view.getBigInt64(this.#take(8), true));
  u64 = () => this.#safe(this.#view.getBigUint64(this.#take(8), true));

  /** UTF-8 after its length as u64. */
  string = (): string => {
    const length = this.u64();
    const start = this.#take(length);
    return this.#text.decode(this.#bytes.subarray(start, start + length));
  };

  /** Moves on by `length` bytes, and returns where they start. */
  #take(length: number): number {
    const start = this.#offset;
    if (start + length > this.#bytes.length) throw new NeedsMoreBytes(start + length);
    this.#offset += length;
    return start;
  }

  #safe(value: bigint): number {
    const number = Number(value);
    if (Number.isSafeInteger(number)) return number;
    throw new GgufError(`${this.#name} is damaged: ${value} at byte ${this.#offset - 8}.`);
  }
}
