import { closeSync, constants, copyFileSync, openSync, writeSync } from 'node:fs';

import {
  alignmentOf,
  type GgufHeader,
  type GgufTensor,
} from '../../../core/files/gguf/gguf-header.ts';
import { tensorBytes } from '../../../core/files/gguf/tensor-bytes.ts';
import { openByteSource, type ByteSource } from '../sources/byte-source.ts';
import { PackError } from '../pack-error.ts';

/** Bytes that are copied at once. */
const CHUNK = 16 * 1024 * 1024;

/**
 * Copies a GGUF file, with its weights in the order in which the model uses them, so that a prompt can be read while
 * they are downloaded. Older converters sorted layers as texts: 1, 10, 11, …, 19, 2.
 *
 * @param header - of the file, whose path is its name
 * @throws PackError if a tensor's name is not UTF-8
 */
export function copyInOrderOfUse(header: GgufHeader, target: string): void {
  const layers = header.tensors.map(layerOf).filter((layer) => layer !== undefined);
  const isOrdered = layers.every((layer, index) => layer >= (layers[index - 1] ?? 0));
  if (isOrdered) copyFileSync(header.name, target, constants.COPYFILE_FICLONE);
  else writeOrdered(header, target);
}

/** Index of the layer; undefined: the tensor belongs to no layer. */
function layerOf({ name }: GgufTensor): number | undefined {
  const [, layer] = /^blk\.(\d+)\./.exec(name) ?? [];
  return layer === undefined ? undefined : Number(layer);
}

/** Place in the order of use. Tensors outside the layers come before all layers; output tensors come after them. */
function place(tensor: GgufTensor): number {
  const isOutput = /^(output|cls)/.test(tensor.name);
  return layerOf(tensor) ?? (isOutput ? Number.MAX_SAFE_INTEGER : -1);
}

function writeOrdered(header: GgufHeader, target: string): void {
  const ordered = header.tensors.toSorted((one, other) => place(one) - place(other));
  const source = openByteSource(header.name);
  const file = openSync(target, 'w');
  try {
    const start = Math.min(...header.tensors.map(({ offset }) => offset));
    const head = Buffer.from(source.read(0, start));
    const moved = placed(header, ordered, start);
    // The entries are the last part of the header, and as long as before.
    const entries = head.lastIndexOf(encode(header.tensors, start));
    if (entries < 0) throw new PackError(`${header.name} has names of tensors that are no UTF-8.`);
    encode(moved, start).copy(head, entries);
    writeSync(file, head, 0, start, 0);
    for (const [index, tensor] of ordered.entries()) {
      copyTensor(source, tensor, file, moved[index]?.offset ?? 0);
    }
  } finally {
    source.close();
    closeSync(file);
  }
}

/** The tensors, placed one after the other from `start` on. */
function placed(header: GgufHeader, ordered: readonly GgufTensor[], start: number): GgufTensor[] {
  const step = alignmentOf(header);
  let offset = start;
  return ordered.map((tensor) => {
    const here = { ...tensor, offset };
    offset += Math.ceil(tensorBytes(tensor) / step) * step;
    return here;
  });
}

/**
 * The tensors' entries in the header.
 *
 * @param start - where the weights begin; offsets in the header count from there
 */
function encode(tensors: readonly GgufTensor[], start: number): Buffer {
  return Buffer.concat(
    tensors.map(({ name, shape, type, offset }) => {
      const text = Buffer.from(name);
      const entry = Buffer.alloc(8 + text.length + 4 + 8 * shape.length + 4 + 8);
      entry.writeBigUInt64LE(BigInt(text.length), 0);
      text.copy(entry, 8);
      let at = entry.writeUInt32LE(shape.length, 8 + text.length);
      for (const dimension of shape.toReversed()) {
        at = entry.writeBigUInt64LE(BigInt(dimension), at);
      }
      at = entry.writeUInt32LE(type, at);
      entry.writeBigUInt64LE(BigInt(offset - start), at);
      return entry;
    }),
  );
}

function copyTensor(source: ByteSource, tensor: GgufTensor, file: number, to: number): void {
  const size = tensorBytes(tensor);
  for (let done = 0; done < size; done += CHUNK) {
    const bytes = source.read(tensor.offset + done, Math.min(CHUNK, size - done));
    writeSync(file, bytes, 0, bytes.length, to + done);
  }
}
