import * as v from 'valibot';

import { ByteCursor } from './byte-cursor.ts';
import type { ByteSource } from './byte-source.ts';
import { tensorBytes, type StoredTensor } from './checkpoint.ts';
import { PackError } from './pack-error.ts';
import { BF16, F16, F32, Q4_1, Q8_0, type TensorFormat } from './tensor-format.ts';

type GgufValue = number | boolean | string | GgufValue[];

/** The header of a GGUF file: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md */
export interface GgufFile {
  readonly name: string;
  readonly metadata: ReadonlyMap<string, GgufValue>;
  readonly tensors: ReadonlyMap<string, StoredTensor>;
}

const MAGIC = 0x46554747; // "GGUF"
const DEFAULT_ALIGNMENT = 32;

/** By ggml's type number. */
const FORMATS = new Map<number, TensorFormat>([
  [0, F32],
  [1, F16],
  [3, Q4_1],
  [8, Q8_0],
  [30, BF16],
]);

/** @throws PackError if the file is no GGUF, is cut off, or has tensors of a type we cannot read */
export function readGguf(source: ByteSource): GgufFile {
  const cursor = new ByteCursor(source);
  if (source.size < 24 || cursor.u32() !== MAGIC) {
    throw new PackError(`${source.name} is not a GGUF file.`);
  }
  const version = cursor.u32();
  if (version !== 2 && version !== 3) {
    throw new PackError(`${source.name} is a GGUF of version ${version}; 2 and 3 can be read.`);
  }
  const tensorCount = cursor.u64();
  const metadata = readMetadata(cursor, cursor.u64());
  const tensors = repeat(tensorCount, () => readTensorEntry(cursor));
  const file = { name: source.name, metadata, tensors: new Map<string, StoredTensor>() };
  const alignment = optionalField(file, 'general.alignment', v.number()) ?? DEFAULT_ALIGNMENT;
  const start = Math.ceil(cursor.offset / alignment) * alignment;
  for (const { type, ...entry } of tensors) {
    const tensor = { ...entry, format: formatOf(type, entry.name), offset: start + entry.offset };
    requireInside(source, tensor);
    file.tensors.set(tensor.name, tensor);
  }
  return file;
}

/** @throws PackError if the metadata lacks the key or holds something else */
export function field<T>(file: GgufFile, key: string, schema: v.GenericSchema<unknown, T>): T {
  const value = optionalField(file, key, schema);
  if (value === undefined) throw new PackError(`${file.name} lacks the metadata field ${key}.`);
  return value;
}

/** @throws PackError if the metadata holds something else than the schema wants */
export function optionalField<T>(
  file: Pick<GgufFile, 'name' | 'metadata'>,
  key: string,
  schema: v.GenericSchema<unknown, T>,
): T | undefined {
  const value = file.metadata.get(key);
  if (value === undefined) return undefined;
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  throw new PackError(`${file.name}: metadata field ${key}: ${result.issues[0].message}.`);
}

function readMetadata(cursor: ByteCursor, count: number): Map<string, GgufValue> {
  const entries = repeat(count, () => [cursor.string(), reader(cursor, cursor.u32())()] as const);
  return new Map(entries);
}

function reader(cursor: ByteCursor, type: number): () => GgufValue {
  const { u8, i8, u16, i16, u32, i32, f32, string, u64, i64, f64 } = cursor;
  const bool = () => u8() !== 0;
  const array = () => {
    const read = reader(cursor, u32());
    return repeat(u64(), read);
  };
  const byType = [u8, i8, u16, i16, u32, i32, f32, bool, string, array, u64, i64, f64];
  const found = byType[type];
  if (!found) throw new PackError(`The metadata holds a value of unknown type ${type}.`);
  return found;
}

/** Not `Array.from`, which would first make room for the count of a damaged file. */
function repeat<T>(count: number, read: () => T): T[] {
  const values: T[] = [];
  for (let i = 0; i < count; i++) values.push(read());
  return values;
}

function readTensorEntry(cursor: ByteCursor) {
  const name = cursor.string();
  const dimensions = repeat(cursor.u32(), cursor.u64);
  // GGUF lists the contiguous dimension first.
  return { name, shape: dimensions.reverse(), type: cursor.u32(), offset: cursor.u64() };
}

function formatOf(type: number, tensor: string): TensorFormat {
  const format = FORMATS.get(type);
  if (format) return format;
  const known = [...FORMATS.values()].map(({ name }) => name).join(', ');
  throw new PackError(`Tensor ${tensor} has ggml type ${type}; only ${known} can be read.`);
}

function requireInside(source: ByteSource, tensor: StoredTensor): void {
  if (tensor.offset + tensorBytes(tensor) <= source.size) return;
  throw new PackError(`${source.name} is truncated: it ends before tensor ${tensor.name} does.`);
}
