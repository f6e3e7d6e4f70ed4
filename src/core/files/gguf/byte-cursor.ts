import { GgufError } from './gguf-error.ts';
import { decodeText, GgufTexts, LENGTH_BYTES } from './gguf-texts.ts';

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
  u64 = () => {
    const start = this.#take(8);
    const number =
      this.#view.getUint32(start + 4, true) * 2 ** 32 + this.#view.getUint32(start, true);
    // No BigInt if the number is exact without one: a vocabulary has a hundred thousand of them.
    return Number.isSafeInteger(number) ? number : this.#safe(this.#view.getBigUint64(start, true));
  };

  /** UTF-8 after its length as u64. */
  string = (): string => {
    const length = this.u64();
    const start = this.#take(length);
    return decodeText(this.#bytes.subarray(start, start + length));
  };

  /** Strings, one after the other. */
  texts = (count: number): GgufTexts => {
    // A damaged count may be anything: it must not reserve memory.
    const least = this.#offset + LENGTH_BYTES * count;
    if (least > this.#bytes.length) throw new NeedsMoreBytes(least);
    const starts = new Uint32Array(count);
    for (let index = 0; index < count; index++) {
      const length = this.u64();
      starts[index] = this.#take(length);
    }
    return new GgufTexts(this.#bytes, starts);
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
