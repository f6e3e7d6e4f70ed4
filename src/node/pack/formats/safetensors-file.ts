import * as v from 'valibot';

import type { ByteSource } from '../sources/byte-source.ts';
import { tensorBytes, type StoredTensor } from './checkpoint.ts';
import { parseJson } from './json-file.ts';
import { PackError } from '../pack-error.ts';
import { BF16, F16, F32, type TensorFormat } from './tensor-format.ts';

const FORMATS = new Map<string, TensorFormat>([
  ['F32', F32],
  ['F16', F16],
  ['BF16', BF16],
]);

const entrySchema = v.object({
  dtype: v.string(),
  shape: v.array(v.number()),
  /** Bytes from the end of the header: the first, and one past the last. */
  data_offsets: v.tuple([v.number(), v.number()]),
});

/** Bytes. Real headers are far shorter, so a file with a longer one has another format. */
const HEADER_LIMIT = 100_000_000;

/**
 * The tensors of a safetensors file: https://huggingface.co/docs/safetensors
 *
 * @throws PackError if the file is damaged, cut off, or has other types than F32, F16 and BF16
 */
export function readSafetensors(source: ByteSource): Map<string, StoredTensor> {
  const headerBytes = headerLength(source);
  const header = parseJson(
    new TextDecoder().decode(source.read(8, headerBytes)),
    v.record(v.string(), v.unknown()),
    `The header of ${source.name}`,
  );
  const tensors = new Map<string, StoredTensor>();
  for (const [name, entry] of Object.entries(header)) {
    if (name === '__metadata__') continue;
    tensors.set(name, storedTensor(source, name, entry, 8 + headerBytes));
  }
  return tensors;
}

function headerLength(source: ByteSource): number {
  const bytes = source.read(0, 8);
  const length = new DataView(bytes.buffer).getBigUint64(0, true);
  if (length <= HEADER_LIMIT) return Number(length);
  throw new PackError(`${source.name} is not a safetensors file.`);
}

function storedTensor(
  source: ByteSource,
  name: string,
  value: unknown,
  start: number,
): StoredTensor {
  const entry = v.safeParse(entrySchema, value);
  if (!entry.success)
    throw new PackError(`${source.name}: tensor ${name} has an invalid description.`);
  const { dtype, shape, data_offsets: offsets } = entry.output;
  const format = FORMATS.get(dtype);
  if (!format) {
    const known = [...FORMATS.keys()].join(', ');
    throw new PackError(`Tensor ${name} has type ${dtype}; only ${known} can be read.`);
  }
  const tensor = { name, format, shape, offset: start + offsets[0] };
  if (tensorBytes(tensor) !== offsets[1] - offsets[0]) {
    throw new PackError(`${source.name}: tensor ${name} has a size that does not match its shape.`);
  }
  if (start + offsets[1] > source.size) {
    throw new PackError(`${source.name} is truncated: it ends before tensor ${name} does.`);
  }
  return tensor;
}
