/** A value of a GGUF's metadata, by the name of its type in the format's description. */
export type Field =
  | { u16: number }
  | { u32: number }
  | { i32: number }
  | { u64: number }
  | { f32: number }
  | { bool: boolean }
  | { string: string }
  | { i32s: number[] }
  | { f32s: number[] }
  | { strings: string[] };

export interface Tensor {
  name: string;
  /** ggml's number. */
  type: number;
  /** The contiguous dimension last. */
  shape: number[];
  bytes: Uint8Array;
}

const ALIGNMENT = 32;

/** A GGUF file of version 3. */
export function ggufBytes(metadata: Record<string, Field>, tensors: Tensor[]): Uint8Array {
  const sized = tensors.map(({ bytes, ...facts }) => ({ ...facts, length: bytes.length }));
  const { header } = ggufHeader(metadata, sized);
  return Buffer.concat([header, ...tensors.map(({ bytes }) => pad(bytes))]);
}

/** A tensor without its values. */
export interface SizedTensor extends Omit<Tensor, 'bytes'> {
  /** Bytes of its values. */
  length: number;
}

/** All that is before the values in a GGUF file, and the size of the whole file, bytes. */
export function ggufHeader(
  metadata: Record<string, Field>,
  tensors: SizedTensor[],
): { header: Buffer; size: number } {
  let offset = 0;
  const entries = tensors.map(({ name, type, shape, length }) => {
    const dimensions = shape.toReversed().map(u64);
    const entry = [string(name), u32(shape.length), ...dimensions, u32(type), u64(offset)];
    offset += Math.ceil(length / ALIGNMENT) * ALIGNMENT;
    return Buffer.concat(entry);
  });
  const fields = Object.entries(metadata).map(([key, value]) =>
    Buffer.concat([string(key), field(value)]),
  );
  const counts = [u64(tensors.length), u64(fields.length)];
  const header = pad(
    Buffer.concat([Buffer.from('GGUF'), u32(3), ...counts, ...fields, ...entries]),
  );
  return { header, size: header.length + offset };
}

export function f32Bytes(values: readonly number[] | Float32Array): Uint8Array {
  return new Uint8Array(Float32Array.from(values).buffer);
}

/**
 * Encodes values between -1/8 and 1/8 as Q8_0. A block of 32 values has a scale as a 16-bit float, which is 1/1024
 * here, and an 8-bit integer for each value.
 */
export function q8Bytes(values: Float32Array): Uint8Array {
  const blocks = Array.from({ length: values.length / 32 }, (_, block) => {
    const own = values.subarray(32 * block, 32 * block + 32);
    return Buffer.concat([u16(0x1400), Buffer.from(Int8Array.from(own, (value) => value * 1024))]);
  });
  return Buffer.concat(blocks);
}

function field(value: Field): Buffer {
  if ('u16' in value) return Buffer.concat([u32(2), u16(value.u16)]);
  if ('u32' in value) return Buffer.concat([u32(4), u32(value.u32)]);
  if ('i32' in value) return Buffer.concat([u32(5), u32(value.i32)]);
  if ('u64' in value) return Buffer.concat([u32(10), u64(value.u64)]);
  if ('f32' in value) return Buffer.concat([u32(6), f32Bytes([value.f32])]);
  if ('bool' in value) return Buffer.concat([u32(7), Buffer.from([Number(value.bool)])]);
  if ('string' in value) return Buffer.concat([u32(8), string(value.string)]);
  if ('i32s' in value) return array(5, value.i32s.map(u32));
  if ('f32s' in value) return array(6, value.f32s.map(f32));
  return array(8, value.strings.map(string));
}

function array(type: number, items: Buffer[]): Buffer {
  return Buffer.concat([u32(9), u32(type), u64(items.length), ...items]);
}

function string(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([u64(bytes.length), bytes]);
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function f32(value: number): Buffer {
  return Buffer.from(f32Bytes([value]));
}

function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

function pad(bytes: Uint8Array): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((ALIGNMENT - (bytes.length % ALIGNMENT)) % ALIGNMENT)]);
}
