import {
  readGgufHeader,
  type GgufHeader,
  type GgufTensor,
} from '../../../core/files/gguf/gguf-header.ts';
import type { ByteSource } from '../sources/byte-source.ts';
import { tensorBytes, type StoredTensor } from './checkpoint.ts';
import { PackError } from '../pack-error.ts';
import { BF16, F16, F32, Q4_1, Q8_0, type TensorFormat } from './tensor-format.ts';

/** The header of a GGUF file, with its tensors by name. */
export interface GgufFile extends Pick<GgufHeader, 'name' | 'metadata'> {
  readonly tensors: ReadonlyMap<string, StoredTensor>;
}

/** Formats by ggml's number. */
const FORMATS = new Map<number, TensorFormat>([
  [0, F32],
  [1, F16],
  [3, Q4_1],
  [8, Q8_0],
  [30, BF16],
]);

/**
 * @throws GgufError if the file is not a GGUF file or its header is damaged
 * @throws PackError if a tensor is cut off or has a quantisation that we cannot read
 */
export async function readGguf(source: ByteSource): Promise<GgufFile> {
  const { name, metadata, tensors } = await readGgufHeader(source);
  const stored = tensors.map((tensor) => [tensor.name, storedTensor(source, tensor)] as const);
  return { name, metadata, tensors: new Map(stored) };
}

function storedTensor(source: ByteSource, { type, ...entry }: GgufTensor): StoredTensor {
  const tensor = { ...entry, format: formatOf(type, entry.name) };
  if (tensor.offset + tensorBytes(tensor) <= source.size) return tensor;
  throw new PackError(`${source.name} is truncated: it ends before tensor ${tensor.name} does.`);
}

function formatOf(type: number, tensor: string): TensorFormat {
  const format = FORMATS.get(type);
  if (format) return format;
  const known = [...FORMATS.values()].map(({ name }) => name).join(', ');
  throw new PackError(`Tensor ${tensor} has ggml type ${type}; only ${known} can be read.`);
}
