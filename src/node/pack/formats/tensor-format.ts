/** How a checkpoint stores the values of a tensor: little-endian blocks. */
export interface TensorFormat {
  readonly name: string;
  readonly valuesPerBlock: number;
  readonly bytesPerBlock: number;
  /** @param values - receives all values of the bytes */
  decode(bytes: Uint8Array<ArrayBuffer>, values: Float32Array): void;
}

export const F32: TensorFormat = {
  name: 'F32',
  valuesPerBlock: 1,
  bytesPerBlock: 4,
  decode: (bytes, values) => values.set(new Float32Array(bytes.buffer, bytes.byteOffset)),
};

export const F16: TensorFormat = {
  name: 'F16',
  valuesPerBlock: 1,
  bytesPerBlock: 2,
  decode(bytes, values) {
    let at = 0;
    for (const bits of new Uint16Array(bytes.buffer, bytes.byteOffset)) values[at++] = half(bits);
  },
};

export const BF16: TensorFormat = {
  name: 'BF16',
  valuesPerBlock: 1,
  bytesPerBlock: 2,
  decode(bytes, values) {
    const words = new Uint32Array(values.buffer, values.byteOffset, values.length);
    let at = 0;
    for (const bits of new Uint16Array(bytes.buffer, bytes.byteOffset)) words[at++] = bits << 16;
  },
};

/** f16 scale, f16 minimum, 16 bytes whose low nibbles are values 0…15 and high ones 16…31. */
export const Q4_1: TensorFormat = {
  name: 'Q4_1',
  valuesPerBlock: 32,
  bytesPerBlock: 20,
  decode(bytes, values) {
    const view = viewOf(bytes);
    for (let at = 0, out = 0; at < bytes.length; at += 20, out += 32) {
      const scale = half(view.getUint16(at, true));
      const minimum = half(view.getUint16(at + 2, true));
      for (let i = 0; i < 16; i++) {
        const pair = view.getUint8(at + 4 + i);
        values[out + i] = scale * (pair & 15) + minimum;
        values[out + 16 + i] = scale * (pair >> 4) + minimum;
      }
    }
  },
};

/** f16 scale, 32 signed bytes. */
export const Q8_0: TensorFormat = {
  name: 'Q8_0',
  valuesPerBlock: 32,
  bytesPerBlock: 34,
  decode(bytes, values) {
    const view = viewOf(bytes);
    for (let at = 0, out = 0; at < bytes.length; at += 34, out += 32) {
      const scale = half(view.getUint16(at, true));
      for (let i = 0; i < 32; i++) values[out + i] = scale * view.getInt8(at + 2 + i);
    }
  },
};

/** The number that an IEEE 754 binary16 holds. */
export function half(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (1024 + fraction) * 2 ** (exponent - 25);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
