import type { LlamaGpuModule } from '../../../../../models/llamacpp/module.ts';
import type { GgufHeader } from '../../../../core/files/gguf/gguf-header.ts';
import { ggufSections, type GgufSection } from '../../../../core/files/gguf/gguf-sections.ts';
import { readBlobHeader } from '../../model-facts.ts';
import type { ModelPart } from '../../model-files.ts';
import type { GpuModule, ReadBlob } from './gpu-module.ts';

/** llama.cpp reads headers a kilobyte at a time; the browser takes a tenth of a millisecond for each read. Bytes. */
const WINDOW = 1 << 20;

/**
 * Largest file that llama.cpp reads as one: the module counts the bytes of a file in 32 bits. Larger ones are shown to it as
 * if they were split.
 */
const MOST_BYTES = 2 ** 32 - 1;
/** Bytes of the tensors in a part of such a file, unless one is larger. */
const SECTION_BYTES = 2 ** 30;

type Gpu = Pick<GpuModule, 'readBlob'> & { module: Pick<LlamaGpuModule, 'addFileToRead'> };

/** The most bytes of a file, and of a section of a larger one. */
interface FileLimits {
  mostBytes: number;
  sectionBytes: number;
}

const LIMITS: FileLimits = { mostBytes: MOST_BYTES, sectionBytes: SECTION_BYTES };

/** The files of a model in the weight store, which llama.cpp reads in pieces. No file is in the module's memory. */
export class GpuFiles {
  readonly #files: readonly StoredFile[];
  /** Where llama.cpp finds the files, or the sections of large ones, in order. */
  readonly paths: readonly string[];
  /** The headers of all files, in order. */
  readonly headers: readonly GgufHeader[];

  private constructor(
    files: readonly StoredFile[],
    headers: readonly GgufHeader[],
    paths: readonly string[],
  ) {
    this.#files = files;
    this.headers = headers;
    this.paths = paths;
  }

  /** @throws GgufError; Error if a file has not been downloaded yet */
  static async open(
    gpu: Gpu,
    parts: readonly ModelPart[],
    { mostBytes, sectionBytes }: FileLimits = LIMITS,
  ): Promise<GpuFiles> {
    const files = parts.map((part) => new StoredFile(gpu.readBlob, part));
    const headers = [];
    for (const { name, blob } of files) headers.push(await readBlobHeader(name, blob));
    const offered = files.some(({ blob }) => blob.size > mostBytes)
      ? await inSections(files, headers, sectionBytes)
      : files.map(whole);
    for (const { path, size, read } of offered) gpu.module.addFileToRead(path, size, read);
    return new GpuFiles(
      files,
      headers,
      offered.map(({ path }) => path),
    );
  }

  /** Bytes of one of the files. */
  read(part: number, offset: number, bytes: number): Uint8Array {
    const file = this.#files[part];
    if (!file) throw new Error(`The model has no part ${part}.`);
    return file.read(offset, bytes);
  }
}

/** A file as llama.cpp finds it. */
interface OfferedFile {
  path: string;
  /** Bytes. */
  size: number;
  read: (offset: number, bytes: number) => Uint8Array;
}

function whole(file: StoredFile): OfferedFile {
  const read = (offset: number, bytes: number) => file.read(offset, bytes);
  return { path: `/${file.name}`, size: file.blob.size, read };
}

async function inSections(
  files: readonly StoredFile[],
  headers: readonly GgufHeader[],
  sectionBytes: number,
): Promise<OfferedFile[]> {
  const metadata = await files[0]?.blob.slice(0, headers[0]?.listAt).arrayBuffer();
  return ggufSections(headers, new Uint8Array(metadata ?? []), sectionBytes).map(
    (section, index) => {
      const { header, file, start, end } = section;
      const read = (offset: number, bytes: number) => readOf(section, files[file], offset, bytes);
      return { path: `/section-${index}.gguf`, size: header.length + end - start, read };
    },
  );
}

/** @returns fewer bytes where the header ends: llama.cpp asks for the rest */
function readOf(
  { header, start }: GgufSection,
  file: StoredFile | undefined,
  offset: number,
  bytes: number,
): Uint8Array {
  if (offset < header.length) return header.subarray(offset, offset + bytes);
  return file?.read(start + offset - header.length, bytes) ?? new Uint8Array();
}

class StoredFile {
  readonly name: string;
  readonly blob: Blob;
  readonly #readBlob: ReadBlob;
  /** Some bytes of the file, and their offset in it. */
  #window = { offset: 0, bytes: new Uint8Array() };

  constructor(readBlob: ReadBlob, { name, blob }: ModelPart) {
    if (!blob) throw new Error(`${name} has not been downloaded.`);
    this.name = name;
    this.blob = blob;
    this.#readBlob = readBlob;
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
