import type { LlamaGpuModule } from '../../../../../models/llamacpp/module.ts';
import type { GgufHeader } from '../../../../core/files/gguf/gguf-header.ts';
import { ggufSections, type GgufSection } from '../../../../core/files/gguf/gguf-sections.ts';
import { readBlobHeader } from '../../model-facts.ts';
import type { ModelPart } from '../../model-files.ts';
import type { GpuModule, ReadBlob } from './gpu-module.ts';
import { weightSamples, type WeightSample } from './weight-samples.ts';

/** llama.cpp reads headers a kilobyte at a time; the browser takes a tenth of a millisecond for each read. Bytes. */
const WINDOW = 1 << 20;

/**
 * Largest file that llama.cpp reads as one: the module counts the bytes of a file in 32 bits. Larger ones are shown to it as
 * if they were split.
 */
const MOST_BYTES = 2 ** 32 - 1;
/** Bytes of the tensors in a part of such a file, unless one is larger. */
const SECTION_BYTES = 2 ** 30;

/** A file of a model. */
export interface GpuFile {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** @throws GgufError */
  header(): Promise<GgufHeader>;
  /** Bytes of it, at once. Those of a download that are missing are zero. */
  read(offset: number, bytes: number): Uint8Array;
  /** Notes that some bytes are needed later. @returns what gives them, as soon as they have arrived */
  reserve(offset: number, bytes: number): () => Promise<Uint8Array>;
}

interface Gpu {
  module: Pick<LlamaGpuModule, 'addFileToRead'>;
}

/** The most bytes of a file, and of a section of a larger one. */
interface FileLimits {
  mostBytes: number;
  sectionBytes: number;
}

const LIMITS: FileLimits = { mostBytes: MOST_BYTES, sectionBytes: SECTION_BYTES };

/** The files of a model, which llama.cpp reads in pieces. No file is in the module's memory. */
export class GpuFiles {
  /** Where llama.cpp finds the files, or the sections of large ones, in order. */
  readonly paths: readonly string[];
  /** The headers of all files, in order. */
  readonly headers: readonly GgufHeader[];
  /** Weights of each type. */
  readonly samples: readonly WeightSample[];

  private constructor(
    files: readonly GpuFile[],
    headers: readonly GgufHeader[],
    paths: readonly string[],
  ) {
    this.headers = headers;
    this.paths = paths;
    this.samples = weightSamples(files, headers);
  }

  /** @throws GgufError */
  static async open(
    { module }: Gpu,
    files: readonly GpuFile[],
    { mostBytes, sectionBytes }: FileLimits = LIMITS,
  ): Promise<GpuFiles> {
    const headers = [];
    for (const file of files) headers.push(await file.header());
    const offered = files.some(({ size }) => size > mostBytes)
      ? inSections(files, headers, sectionBytes)
      : files.map(whole);
    for (const { path, size, read } of offered) module.addFileToRead(path, size, read);
    return new GpuFiles(
      files,
      headers,
      offered.map(({ path }) => path),
    );
  }
}

/** Files in the weight store. @throws Error if one has not been downloaded yet */
export function storedFiles(
  { readBlob }: Pick<GpuModule, 'readBlob'>,
  parts: readonly ModelPart[],
): GpuFile[] {
  return parts.map((part) => new StoredFile(readBlob, part));
}

/** A file as llama.cpp finds it. */
interface OfferedFile {
  path: string;
  /** Bytes. */
  size: number;
  read: (offset: number, bytes: number) => Uint8Array;
}

function whole(file: GpuFile): OfferedFile {
  const read = (offset: number, bytes: number) => file.read(offset, bytes);
  return { path: `/${file.name}`, size: file.size, read };
}

function inSections(
  files: readonly GpuFile[],
  headers: readonly GgufHeader[],
  sectionBytes: number,
): OfferedFile[] {
  const metadata = files[0]?.read(0, headers[0]?.listAt ?? 0) ?? new Uint8Array();
  return ggufSections(headers, metadata, sectionBytes).map((section, index) => {
    const { header, file, start, end } = section;
    const read = (offset: number, bytes: number) => readOf(section, files[file], offset, bytes);
    return { path: `/section-${index}.gguf`, size: header.length + end - start, read };
  });
}

/** @returns fewer bytes where the header ends: llama.cpp asks for the rest */
function readOf(
  { header, start }: GgufSection,
  file: GpuFile | undefined,
  offset: number,
  bytes: number,
): Uint8Array {
  if (offset < header.length) return header.subarray(offset, offset + bytes);
  return file?.read(start + offset - header.length, bytes) ?? new Uint8Array();
}

class StoredFile implements GpuFile {
  readonly name: string;
  readonly #blob: Blob;
  readonly #readBlob: ReadBlob;
  /** Some bytes of the file, and their offset in it. */
  #window = { offset: 0, bytes: new Uint8Array() };

  constructor(readBlob: ReadBlob, { name, blob }: ModelPart) {
    if (!blob) throw new Error(`${name} has not been downloaded.`);
    this.name = name;
    this.#blob = blob;
    this.#readBlob = readBlob;
  }

  get size(): number {
    return this.#blob.size;
  }

  header(): Promise<GgufHeader> {
    return readBlobHeader(this.name, this.#blob);
  }

  read(offset: number, bytes: number): Uint8Array {
    if (bytes >= WINDOW) return this.#bytes(offset, bytes);
    const { offset: begin, bytes: known } = this.#window;
    if (offset < begin || offset + bytes > begin + known.length)
      this.#window = { offset, bytes: this.#bytes(offset, WINDOW) };
    const start = offset - this.#window.offset;
    return this.#window.bytes.subarray(start, start + bytes);
  }

  reserve(offset: number, bytes: number): () => Promise<Uint8Array> {
    return async () => this.read(offset, bytes);
  }

  #bytes(offset: number, bytes: number): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#readBlob(this.#blob.slice(offset, offset + bytes)));
  }
}
