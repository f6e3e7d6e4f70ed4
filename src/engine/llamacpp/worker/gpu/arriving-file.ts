import { readGgufHeader, type GgufHeader } from '../../../../core/files/gguf/gguf-header.ts';
import { joinedBytes } from '../../../../core/joined.ts';
import { ArrivedBytes } from '../../arrived-bytes.ts';
import type { ModelPart } from '../../model-files.ts';
import type { GpuFile } from './gpu-files.ts';
import type { WeightWriter } from './weight-writer.ts';

/** Bytes of the file that are needed when all of them have arrived. */
interface Reserved {
  offset: number;
  bytes: Uint8Array;
}

/** A GGUF file that is being downloaded. llama.cpp opens it with zeros for what is missing, which is then written. */
export class ArrivingFile implements GpuFile {
  readonly name: string;
  readonly size: number;
  readonly #arrived = new ArrivedBytes();
  /** What has arrived before the model was open. */
  #head = new Uint8Array();
  #hasHeader = false;
  #writer: WeightWriter | undefined;
  readonly #opened = Promise.withResolvers<void>();
  readonly #reserved: Reserved[] = [];

  constructor({ name, size }: ModelPart) {
    this.name = name;
    this.size = size;
  }

  /** Whether all of it has arrived. */
  get isWhole(): boolean {
    return this.#arrived.count >= this.size;
  }

  async header(): Promise<GgufHeader> {
    const read = async (offset: number, length: number) => {
      await this.#arrived.until(offset + length);
      return this.read(offset, length);
    };
    const header = await readGgufHeader({ name: this.name, size: this.size, read });
    this.#hasHeader = true;
    return header;
  }

  read(offset: number, bytes: number): Uint8Array {
    const found = new Uint8Array(bytes);
    found.set(this.#head.subarray(offset, offset + bytes));
    return found;
  }

  reserve(offset: number, length: number): () => Promise<Uint8Array> {
    const bytes = new Uint8Array(length);
    bytes.set(this.#head.subarray(offset, offset + length));
    this.#reserved.push({ offset, bytes });
    return async () => {
      await this.#arrived.until(offset + length);
      return bytes;
    };
  }

  /** Adds the next bytes. With the header, the rest has to wait until the model is open. */
  async fill(pieces: readonly Uint8Array[]): Promise<void> {
    if (this.#hasHeader) await this.#opened.promise;
    for (const piece of pieces) {
      this.#keepReserved(piece);
      if (this.#writer) this.#writer.write(piece);
      else this.#head = joinedBytes([this.#head, piece]);
      this.#arrived.add(piece.length);
    }
  }

  /** Begins to write the weights. To be called when llama.cpp has opened the model. */
  begin(writer: WeightWriter): void {
    writer.write(this.#head);
    this.#head = new Uint8Array();
    this.#writer = writer;
    this.#opened.resolve();
  }

  /** Resolves when all weights are written. */
  async whole(): Promise<void> {
    await this.#arrived.until(this.size);
    this.#writer?.end();
    this.#reserved.length = 0;
  }

  #keepReserved(piece: Uint8Array): void {
    const position = this.#arrived.count;
    for (const { offset, bytes } of this.#reserved) {
      const from = Math.max(0, offset - position);
      const to = Math.max(from, offset + bytes.length - position);
      const found = piece.subarray(from, to);
      if (found.length > 0) bytes.set(found, position + from - offset);
    }
  }
}
