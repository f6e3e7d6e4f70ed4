import * as v from 'valibot';
import { ByteCursor, NeedsMoreBytes } from './byte-cursor.ts';
import { GgufError } from './gguf-error.ts';
import { GgufTexts } from './gguf-texts.ts';

/** A file that can be read in parts: a file on disk, a Blob, or a URL whose server answers ranges. */
export interface ByteRanges {
  /** Name of the file, for error messages. */
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** Reads exactly `length` bytes. Callers never ask for bytes after the end of the file. */
  read(offset: number, length: number): Uint8Array | Promise<Uint8Array>;
}

/** A value of the metadata. 64-bit integers are numbers too. */
export type GgufValue = number | boolean | string | GgufValue[] | GgufTexts;

export interface GgufTensor {
  name: string;
  /** ggml's number of the quantisation. */
  type: number;
  /** The contiguous dimension last, as in PyTorch. */
  shape: number[];
  /** Bytes from the start of the file. */
  offset: number;
}

/** The header of a GGUF file: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md */
export interface GgufHeader {
  /** Name of the file. */
  readonly name: string;
  readonly metadata: ReadonlyMap<string, GgufValue>;
  readonly tensors: readonly GgufTensor[];
  /** Where the list of tensors begins: after the metadata. Bytes from the start of the file. */
  readonly listAt: number;
}

const MAGIC = 0x46554747; // "GGUF"
/** Magic, version and two counts. */
const LEAST_BYTES = 24;
const DEFAULT_ALIGNMENT = 32;
const STRING_TYPE = 8;
const ARRAY_TYPE = 9;

/** Bytes. The headers of small models fit. Each further read doubles the bytes that we have. */
const FIRST_READ = 1 << 20;
/** Bytes. Headers of models with 256,000 tokens have about 15 MB. */
const HEADER_LIMIT = 128 << 20;

/**
 * Reads the header only: the weights, which may be gigabytes, are not touched.
 *
 * `@huggingface/gguf` 0.4.6 is not used: it cuts off strings where one of its reads ends, reads a
 * truncated file as if it continued with zeros, and adds 68 kB (gzip) to a bundle.
 *
 * @throws GgufError if the file is not a GGUF file, ends within its header, or is damaged
 */
export async function readGgufHeader(file: ByteRanges): Promise<GgufHeader> {
  if (file.size < LEAST_BYTES) throw notGguf(file);
  let bytes = await extend(new Uint8Array(), file, FIRST_READ);
  for (;;) {
    try {
      return parseHeader(file.name, new ByteCursor(file.name, bytes));
    } catch (error) {
      if (!(error instanceof NeedsMoreBytes)) throw error;
      bytes = await extend(bytes, file, requirePlausible(file, error.needed));
    }
  }
}

/** Schemas for `field`: a list of texts, and a list of numbers. All values of a list have the same type. */
export const texts = v.instance(GgufTexts);
export const numbers = v.custom<number[]>(
  (value) => Array.isArray(value) && typeof (value[0] ?? 0) === 'number',
  'Invalid type: Expected a list of numbers',
);

/** @throws GgufError if the metadata lacks the key or holds another type */
export function field<T>(file: GgufMetadata, key: string, schema: v.GenericSchema<unknown, T>): T {
  const value = optionalField(file, key, schema);
  if (value === undefined) throw new GgufError(`${file.name} lacks the metadata field ${key}.`);
  return value;
}

/** @throws GgufError if the metadata holds another type under the key */
export function optionalField<T>(
  file: GgufMetadata,
  key: string,
  schema: v.GenericSchema<unknown, T>,
): T | undefined {
  const value = file.metadata.get(key);
  if (value === undefined) return undefined;
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  throw new GgufError(`${file.name}: metadata field ${key}: ${result.issues[0].message}.`);
}

type GgufMetadata = Pick<GgufHeader, 'name' | 'metadata'>;

/** At least `needed` bytes from the start of the file, unless the file is shorter. */
async function extend(
  bytes: Uint8Array,
  file: ByteRanges,
  needed: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const length = Math.min(file.size, Math.max(needed, 2 * bytes.length));
  const more = await file.read(bytes.length, length - bytes.length);
  if (bytes.length + more.length !== length) {
    throw new GgufError(`${file.name} could not be read: ${more.length} bytes arrived.`);
  }
  const longer = new Uint8Array(length);
  longer.set(bytes);
  longer.set(more, bytes.length);
  return longer;
}

/** A damaged length may be anything: it must not make us read, or reserve memory for, gigabytes. */
function requirePlausible({ name, size }: ByteRanges, needed: number): number {
  if (needed > size) {
    throw new GgufError(`${name} is truncated: it should have at least ${needed} bytes.`);
  }
  if (needed > HEADER_LIMIT) {
    throw new GgufError(`${name} is damaged: its header has more than ${HEADER_LIMIT} bytes.`);
  }
  return needed;
}

function parseHeader(name: string, cursor: ByteCursor): GgufHeader {
  if (cursor.u32() !== MAGIC) throw notGguf({ name });
  const version = cursor.u32();
  if (version !== 2 && version !== 3) {
    throw new GgufError(`${name} is a GGUF file of version ${version}; only 2 and 3 can be read.`);
  }
  const tensorCount = cursor.u64();
  const metadata = new Map(repeat(cursor.u64(), () => readField(name, cursor)));
  const listAt = cursor.offset;
  const entries = repeat(tensorCount, () => readTensorEntry(cursor));
  const step = alignmentOf({ name, metadata });
  const start = Math.ceil(cursor.offset / step) * step;
  const tensors = entries.map((entry) => ({ ...entry, offset: start + entry.offset }));
  return { name, metadata, tensors, listAt };
}

/** Each tensor, the first one included, begins at a multiple of this, bytes. */
export function alignmentOf(file: GgufMetadata): number {
  const schema = v.pipe(v.number(), v.integer(), v.minValue(1));
  return optionalField(file, 'general.alignment', schema) ?? DEFAULT_ALIGNMENT;
}

function readField(name: string, cursor: ByteCursor): [key: string, value: GgufValue] {
  const key = cursor.string();
  const type = cursor.u32();
  const elementType = type === ARRAY_TYPE ? cursor.u32() : type;
  const read = reader(cursor, elementType);
  if (type === ARRAY_TYPE && elementType === STRING_TYPE) return [key, cursor.texts(cursor.u64())];
  if (!read) throw new GgufError(`${name}: metadata field ${key} has unknown type ${elementType}.`);
  return [key, type === ARRAY_TYPE ? repeat(cursor.u64(), read) : read()];
}

/** Undefined for unknown types. Arrays of arrays count as unknown: llama.cpp refuses them, too. */
function reader(cursor: ByteCursor, type: number): (() => GgufValue) | undefined {
  const { u8, i8, u16, i16, u32, i32, f32, string, u64, i64, f64 } = cursor;
  const bool = () => u8() !== 0;
  return [u8, i8, u16, i16, u32, i32, f32, bool, string, undefined, u64, i64, f64][type];
}

/** Not `Array.from`, which would first reserve memory for the count of a damaged file. */
function repeat<T>(count: number, read: () => T): T[] {
  const values: T[] = [];
  for (let i = 0; i < count; i++) values.push(read());
  return values;
}

function readTensorEntry(cursor: ByteCursor): GgufTensor {
  const name = cursor.string();
  // GGUF lists the contiguous dimension first.
  const shape = repeat(cursor.u32(), cursor.u64).reverse();
  return { name, shape, type: cursor.u32(), offset: cursor.u64() };
}

function notGguf({ name }: Pick<ByteRanges, 'name'>): GgufError {
  return new GgufError(`${name} is not a GGUF file.`);
}
