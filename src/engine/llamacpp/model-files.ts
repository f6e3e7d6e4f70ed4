import type { LlamaModule } from '../../../models/llamacpp/module.ts';
import {
  readGgufHeader,
  type ByteRanges,
  type GgufHeader,
} from '../../core/files/gguf/gguf-header.ts';
import { ModelFileError } from '../download/hub/model-file-error.ts';
import type { ReadFile } from '../download/transfer/read-file.ts';
import { readPieces } from '../download/transfer/piece-reader.ts';
import { GgufError } from '../../core/files/gguf/gguf-error.ts';
import { WEIGHT_ALIGNMENT } from '../../core/files/gguf/gguf-support.ts';
import { ADDRESSABLE_BYTES } from '../../core/files/gguf/memory-of-context.ts';
import { ArrivedBytes } from './arrived-bytes.ts';
import { LlamaError } from './worker/llama-error.ts';

/** What takes the bytes of files that are being downloaded. */
export interface FilledFiles {
  /** Adds the next bytes of a file. What returns a promise has taken them when it resolves. */
  fill(part: number, pieces: readonly Uint8Array<ArrayBuffer>[]): void | Promise<void>;
}

/** A file of a model. */
export interface ModelPart {
  name: string;
  /** Bytes. */
  size: number;
  /** Undefined: the bytes arrive in pieces, while the file is downloaded. */
  blob?: Blob;
}

/** The name of a part in the module, where all parts are side by side. */
export function partName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Reads the files of a model. @throws ModelFileError if one is missing */
export function readParts(paths: readonly string[], read: ReadFile): Promise<ModelPart[]> {
  return Promise.all(
    paths.map(async (path) => {
      const blob = await read(path);
      if (!blob) throw new ModelFileError(path, 'is missing');
      return { name: partName(path), size: blob.size, blob };
    }),
  );
}

type Module = Pick<LlamaModule, 'HEAPU8' | '_malloc' | 'addFileInMemory'>;

/**
 * The files of a model in the module's memory. llama.cpp uses the weights in place, without another copy. Each file
 * is filled from its start. Reads wait until the bytes have arrived.
 */
export class ModelFiles implements FilledFiles {
  readonly #files: PlacedFile[];
  readonly #onFilled: (part: number) => void;
  /** The last report, whole percents. */
  #percent = 0;

  /**
   * @param onFilled - gets the filled part of all files, 0 to 1, in whole percents
   * @throws LlamaError if there is no memory for them
   */
  constructor(module: Module, parts: readonly ModelPart[], onFilled: (part: number) => void) {
    this.#onFilled = onFilled;
    this.#files = parts.map((part) => new PlacedFile(module, part));
  }

  /** Where llama.cpp finds the files, in order. */
  get paths(): string[] {
    return this.#files.map(({ path }) => path);
  }

  /** The headers of all files, in order, as soon as they have arrived. @throws GgufError */
  async headers(): Promise<GgufHeader[]> {
    const headers = [];
    for (const file of this.#files) headers.push(await readGgufHeader(file));
    return headers;
  }

  /** Whether files that are being downloaded lack bytes. */
  get areArriving(): boolean {
    return this.#files.some(({ blob, filled, size }) => !blob && filled < size);
  }

  /** The memory that is not filled yet: the start and the end of each range. */
  get missing(): number[] {
    return this.#files.flatMap(({ missing }) => missing);
  }

  /** Adds the next bytes of a file. */
  fill(part: number, pieces: readonly Uint8Array[]): void {
    for (const piece of pieces) this.#add(part, piece);
  }

  #add(part: number, bytes: Uint8Array): void {
    this.#files[part]?.fill(bytes);
    const filled = this.#files.reduce((sum, file) => sum + file.filled, 0);
    const size = this.#files.reduce((sum, file) => sum + file.size, 0);
    const percent = Math.floor((100 * filled) / size);
    if (percent === this.#percent) return;
    this.#percent = percent;
    this.#onFilled(percent / 100);
  }

  /** Reads the Blobs, and resolves when all bytes have arrived. @throws GgufError if one cannot be read */
  async whole(): Promise<void> {
    for (const [part, { name, blob }] of this.#files.entries()) {
      if (blob) await this.#read(part, name, blob);
    }
    for (const file of this.#files) await file.until(file.size);
  }

  async #read(part: number, name: string, blob: Blob): Promise<void> {
    try {
      await readPieces(blob, (piece) => this.#add(part, piece));
    } catch (error) {
      const failure = new GgufError(`${name} cannot be read.`, { cause: error });
      for (const file of this.#files) file.fail(failure);
      throw failure;
    }
  }
}

/** A file at its place in the module's memory. */
class PlacedFile implements ByteRanges {
  readonly name: string;
  readonly size: number;
  readonly blob: Blob | undefined;
  readonly path: string;
  readonly #module: Module;
  readonly #start: number;
  readonly #arrived = new ArrivedBytes();

  constructor(module: Module, { name, size, blob }: ModelPart) {
    this.#module = module;
    this.name = name;
    this.size = size;
    this.blob = blob;
    this.path = `/${name}`;
    const room = size + WEIGHT_ALIGNMENT;
    // The module would take the number without its upper bits.
    const pointer = room < ADDRESSABLE_BYTES ? module._malloc(room) >>> 0 : 0;
    if (pointer === 0) throw new LlamaError('no_memory', 'There is not enough memory.');
    this.#start = Math.ceil(pointer / WEIGHT_ALIGNMENT) * WEIGHT_ALIGNMENT;
    module.addFileInMemory(this.path, this.#start, size);
  }

  /** How many bytes have arrived, from the start. */
  get filled(): number {
    return this.#arrived.count;
  }

  /** The start and the end of the memory that is not filled yet; empty if all is filled. */
  get missing(): number[] {
    const [start, end] = [this.#start + this.filled, this.#start + this.size];
    return start === end ? [] : [start, end];
  }

  fill(bytes: Uint8Array): void {
    const next = bytes.subarray(0, this.size - this.filled);
    this.#module.HEAPU8.set(next, this.#start + this.filled);
    this.#arrived.add(next.length);
  }

  fail(error: Error): void {
    this.#arrived.fail(error);
  }

  async read(offset: number, length: number): Promise<Uint8Array> {
    await this.until(offset + length);
    // A copy: decoders do not take memory that threads share.
    return this.#module.HEAPU8.slice(this.#start + offset, this.#start + offset + length);
  }

  /** Resolves when this many bytes have arrived. */
  until(bytes: number): Promise<void> {
    return this.#arrived.until(bytes);
  }
}
