import { joinedBytes } from '../../joined.ts';
import { alignmentOf, type GgufHeader, type GgufTensor } from './gguf-header.ts';
import { tensorBytes } from './tensor-bytes.ts';

/** A part of a model that is a GGUF file of its own: a header, and tensors as they lie in one of the model's files. */
export interface GgufSection {
  header: Uint8Array<ArrayBuffer>;
  /** Index of the file that has the tensors. */
  file: number;
  /** Where the first of them begins, bytes from the start of that file. */
  start: number;
  /** Where the last of them ends. */
  end: number;
}

/** The format's numbers of types. */
const [U16, U32, I32] = [2, 4, 5];
const VERSION = 3;
/** Magic, version and two counts, bytes. */
const HEAD_BYTES = 24;
const SPLIT_COUNT = 'split.count';

/**
 * Divides a model into parts that llama.cpp takes for split files. The weights are not copied.
 *
 * @param headers - of all files of the model, in order
 * @param metadata - the first `listAt` bytes of the first file
 * @param mostBytes - of the tensors of a section; a larger tensor has a section of its own
 */
export function ggufSections(
  headers: readonly GgufHeader[],
  metadata: Uint8Array,
  mostBytes: number,
): GgufSection[] {
  const groups = headers.flatMap((header, file) =>
    grouped(header.tensors, mostBytes).map((tensors) => ({ header, file, tensors })),
  );
  const all = headers.reduce((sum, { tensors }) => sum + tensors.length, 0);
  return groups.map(({ header, file, tensors }, index) => {
    const split = { index, count: groups.length, tensors: all };
    const step = alignmentOf(header);
    const fields = index === 0 ? asFirst(metadata, split) : asOther(split, step);
    const start = tensors[0]?.offset ?? 0;
    const list = tensors.map((tensor) => entry(tensor, tensor.offset - start));
    const counts = [u64(tensors.length), u64(fields.count)];
    const head = [text('GGUF'), u32(VERSION), ...counts, fields.bytes, ...list];
    return { header: padded(head, step), file, start, end: endOf(tensors) };
  });
}

/** Tensors that follow one another, as many as fit into a section. */
function grouped(tensors: readonly GgufTensor[], mostBytes: number): GgufTensor[][] {
  const groups: GgufTensor[][] = [];
  for (const tensor of tensors) {
    const last = groups.at(-1);
    if (last?.[0] && endOf([tensor]) - last[0].offset <= mostBytes) last.push(tensor);
    else groups.push([tensor]);
  }
  return groups;
}

function endOf(tensors: readonly GgufTensor[]): number {
  const last = tensors.at(-1);
  return last ? last.offset + tensorBytes(last) : 0;
}

interface Split {
  index: number;
  count: number;
  /** Tensors of all sections. */
  tensors: number;
}

interface Fields {
  count: number;
  bytes: Uint8Array;
}

/** The metadata of the first file, and how many sections there are. */
function asFirst(metadata: Uint8Array, { count, tensors }: Split): Fields {
  const bytes = metadata.slice(HEAD_BYTES);
  const known = Number(new DataView(metadata.slice().buffer).getBigUint64(16, true));
  const at = placeOf(key(SPLIT_COUNT, U16), bytes);
  if (at !== undefined) {
    bytes.set(u16(count), at);
    return { count: known, bytes };
  }
  const more = [
    ...[key('split.no', U16), u16(0)],
    ...[key(SPLIT_COUNT, U16), u16(count)],
    ...[key('split.tensors.count', I32), u32(tensors)],
  ];
  return { count: known + 3, bytes: joinedBytes([bytes, ...more]) };
}

function asOther({ index }: Split, alignment: number): Fields {
  const fields = [key('split.no', U16), u16(index), key('general.alignment', U32), u32(alignment)];
  return { count: 2, bytes: joinedBytes(fields) };
}

/** Where the value of a field begins; undefined: there is no such field. */
function placeOf(found: Uint8Array, bytes: Uint8Array): number | undefined {
  const [first = 0] = found;
  for (let at = bytes.indexOf(first); at !== -1; at = bytes.indexOf(first, at + 1)) {
    if (found.every((byte, index) => bytes[at + index] === byte)) return at + found.length;
  }
  return undefined;
}

function key(name: string, type: number): Uint8Array {
  return joinedBytes([string(name), u32(type)]);
}

function entry({ name, type, shape }: GgufTensor, offset: number): Uint8Array {
  const dimensions = shape.toReversed().map(u64);
  return joinedBytes([string(name), u32(shape.length), ...dimensions, u32(type), u64(offset)]);
}

function string(value: string): Uint8Array {
  const bytes = text(value);
  return joinedBytes([u64(bytes.length), bytes]);
}

function text(value: string): Uint8Array {
  return new TextEncoder().encode(value);
}

function u16(value: number): Uint8Array {
  return new Uint8Array(Uint16Array.of(value).buffer);
}

function u32(value: number): Uint8Array {
  return new Uint8Array(Uint32Array.of(value).buffer);
}

function u64(value: number): Uint8Array {
  return new Uint8Array(BigUint64Array.of(BigInt(value)).buffer);
}

/** @param step - zeros are added up to a multiple of this many bytes */
function padded(parts: readonly Uint8Array[], step: number): Uint8Array<ArrayBuffer> {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return joinedBytes([...parts, new Uint8Array((step - (length % step)) % step)]);
}
