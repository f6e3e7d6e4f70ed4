import type { ByteSource } from './byte-source.ts';
import { PackError } from './pack-error.ts';

const CHUNK = 1 << 20;

/** Reads little-endian values one after the other, a chunk of the file at a time. */
export class ByteCursor {
  readonly #source: ByteSource;
  readonly #text = new TextDecoder();
  #chunk = new DataView(new ArrayBuffer(0));
  #chunkStart = 0;
  #offset = 0;

  constructor(source: ByteSource) {
    this.#source = source;
  }

  /** Bytes from the start of the file. */
  get offset(): number {
    return this.#offset;
  }

  u8 = () => this.#take(1, (view, at) => view.getUint8(at));
  i8 = () => this.#take(1, (view, at) => view.getInt8(at));
  u16 = () => this.#take(2, (view, at) => view.getUint16(at, true));
  i16 = () => this.#take(2, (view, at) => view.getInt16(at, true));
  u32 = () => this.#take(4, (view, at) => view.getUint32(at, true));
  i32 = () => this.#take(4, (view, at) => view.getInt32(at, true));
  f32 = () => this.#take(4, (view, at) => view.getFloat32(at, true));
  f64 = () => this.#take(8, (view, at) => view.getFloat64(at, true));
  i64 = () => this.#safe(this.#take(8, (view, at) => view.getBigInt64(at, true)));
  u64 = () => this.#safe(this.#take(8, (view, at) => view.getBigUint64(at, true)));

  /** UTF-8 after its length as u64. */
  string = (): string => {
    const length = this.u64();
    return this.#take(length, (view, at) =>
      this.#text.decode(new Uint8Array(view.buffer, view.byteOffset + at, length)),
    );
  };

  #take<T>(length: number, read: (view: DataView, at: number) => T): T {
    const end = this.#offset + length;
    if (end > this.#chunkStart + this.#chunk.byteLength) this.#load(length);
    const value = read(this.#chunk, this.#offset - this.#chunkStart);
    this.#offset = end;
    return value;
  }

  #load(length: number): void {
    const wanted = Math.min(Math.max(length, CHUNK), this.#source.size - this.#offset);
    const bytes = this.#source.read(this.#offset, Math.max(wanted, length));
    this.#chunk = new DataView(bytes.buffer);
    this.#chunkStart = this.#offset;
  }

  #safe(value: bigint): number {
    if (BigInt.asIntN(53, value) === value) return Number(value);
    throw new PackError(`${this.#source.name} is damaged: ${value} at byte ${this.#offset - 8}.`);
  }
}
