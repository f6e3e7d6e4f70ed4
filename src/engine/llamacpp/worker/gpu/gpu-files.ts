import type { LlamaGpuModule } from '../../../../../models/llamacpp/module.ts';
import type { GgufHeader } from '../../../../core/files/gguf/gguf-header.ts';
import { readBlobHeader } from '../../model-facts.ts';
import type { ModelPart } from '../../model-files.ts';
import type { GpuModule, ReadBlob } from './gpu-module.ts';

/** llama.cpp reads headers a kilobyte at a time; the browser takes a tenth of a millisecond for each read. Bytes. */
const WINDOW = 1 << 20;

type Gpu = Pick<GpuModule, 'readBlob'> & { module: Pick<LlamaGpuModule, 'addFileToRead'> };

/** The files of a model in the weight store, which llama.cpp reads in pieces. No file is in the module's memory. */
export class GpuFiles {
  readonly #files: StoredFile[];

  /** @throws Error if a file has not been downloaded yet */
  constructor(gpu: Gpu, parts: readonly ModelPart[]) {
    this.#files = parts.map((part) => new StoredFile(gpu, part));
  }

  /** Where llama.cpp finds the files, in order. */
  get paths(): string[] {
    return this.#files.map(({ path }) => path);
  }

  /** The headers of all files, in order. @throws GgufError */
  async headers(): Promise<GgufHeader[]> {
    const headers = [];
    for (const { name, blob } of this.#files) headers.push(await readBlobHeader(name, blob));
    return headers;
  }

  /** Bytes of one of the files. */
  read(part: number, offset: number, bytes: number): Uint8Array {
    const file = this.#files[part];
    if (!file) throw new Error(`The model has no part ${part}.`);
    return file.read(offset, bytes);
  }
}

class StoredFile {
  readonly name: string;
  readonly path: string;
  readonly blob: Blob;
  readonly #readBlob: ReadBlob;
  /** Some bytes of the file, and their offset in it. */
  #window = { offset: 0, bytes: new Uint8Array() };

  constructor({ module, readBlob }: Gpu, { name, size, blob }: ModelPart) {
    if (!blob) throw new Error(`${name} has not been downloaded.`);
    this.name = name;
    this.path = `/${name}`;
    this.blob = blob;
    this.#readBlob = readBlob;
    module.addFileToRead(this.path, size, (offset, bytes) => this.read(offset, bytes));
  }

  read(offset: number, bytes: number): Uint8Array {
    if (bytes >= WINDOW) return this.#bytes(offset, bytes);
    const { offset: begin, bytes: known } = this.#window;
    if (offset < begin || offset + bytes > begin + known.length)
      this.#window = { offset, bytes: this.#bytes(offset, WINDOW) };
    const start = offset - this.#window.offset;
    return this.#window.bytes.subarray(start, start + bytes);
  }

  #bytes(offset: number, bytes: number): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#readBlob(this.blob.slice(offset, offset + bytes)));
  }
}
