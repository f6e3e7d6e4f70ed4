/** A ggml format that stores weights in blocks. Floats are taken as blocks of 32. */
export interface QuantisedFormat {
  name: string;
  /** ggml's number. */
  type: number;
  /** Bytes of a block. */
  bytes: number;
  /** Weights of a block. */
  weights: number;
  /** Offsets of a block's 16-bit floats. */
  halves: number[];
  /** What random floats have in their high bytes beside: default none, which makes them small. */
  exponent?: number;
  /** Offset of the low bits of a block's first weight. */
  firstWeight: number;
  /** @returns the weight at `index` in the block, as the format's definition in ggml-quants.c computes it */
  weight: (block: Block, index: number) => number;
}

/** The quantised formats that models/llamacpp/kernels multiplies. */
export const QUANTISED_FORMATS: QuantisedFormat[] = [
  {
    name: 'Q4_0',
    type: 2,
    bytes: 18,
    weights: 32,
    halves: [0],
    firstWeight: 2,
    weight: (block, i) => block.half(0) * (halfByte(block, 2, i) - 8),
  },
  {
    name: 'Q4_1',
    type: 3,
    bytes: 20,
    weights: 32,
    halves: [0, 2],
    firstWeight: 4,
    weight: (block, i) => block.half(0) * halfByte(block, 4, i) + block.half(2),
  },
  {
    name: 'Q5_0',
    type: 6,
    bytes: 22,
    weights: 32,
    halves: [0],
    firstWeight: 6,
    weight: (block, i) => block.half(0) * (halfByte(block, 6, i) + 16 * block.bit(2, i) - 16),
  },
  {
    name: 'Q5_1',
    type: 7,
    bytes: 24,
    weights: 32,
    halves: [0, 2],
    firstWeight: 8,
    weight: (block, i) =>
      block.half(0) * (halfByte(block, 8, i) + 16 * block.bit(4, i)) + block.half(2),
  },
  {
    name: 'Q8_0',
    type: 8,
    bytes: 34,
    weights: 32,
    halves: [0],
    firstWeight: 2,
    weight: (block, i) => block.half(0) * block.signed(2 + i),
  },
  {
    name: 'Q2_K',
    type: 10,
    bytes: 84,
    weights: 256,
    halves: [80, 82],
    firstWeight: 16,
    weight: (block, i) => {
      const group = block.byte(i >> 4);
      return block.half(80) * (group & 15) * twoBits(block, 16, i) - block.half(82) * (group >> 4);
    },
  },
  {
    name: 'Q3_K',
    type: 11,
    bytes: 110,
    weights: 256,
    halves: [108],
    firstWeight: 32,
    weight: (block, i) => {
      const high = (block.byte(i & 31) >> (i >> 5)) & 1;
      return block.half(108) * q3Scale(block, i >> 4) * (twoBits(block, 32, i) + 4 * high - 4);
    },
  },
  {
    name: 'Q4_K',
    type: 12,
    bytes: 144,
    weights: 256,
    halves: [0, 2],
    firstWeight: 16,
    weight: (block, i) => {
      const { scale, minimum } = sixBits(block, i >> 5);
      return block.half(0) * scale * lowBits(block, 16, i) - block.half(2) * minimum;
    },
  },
  {
    name: 'Q5_K',
    type: 13,
    bytes: 176,
    weights: 256,
    halves: [0, 2],
    firstWeight: 48,
    weight: (block, i) => {
      const { scale, minimum } = sixBits(block, i >> 5);
      const high = (block.byte(16 + (i & 31)) >> (i >> 5)) & 1;
      const number = lowBits(block, 48, i) + 16 * high;
      return block.half(0) * scale * number - block.half(2) * minimum;
    },
  },
  {
    name: 'Q6_K',
    type: 14,
    bytes: 210,
    weights: 256,
    halves: [208],
    firstWeight: 0,
    weight: (block, i) => {
      const [half, quarter] = [i >> 7, (i >> 5) & 3];
      const low = block.byte(64 * half + 32 * (quarter & 1) + (i & 31)) >> (4 * (quarter >> 1));
      const high = block.byte(128 + 32 * half + (i & 31)) >> (2 * quarter);
      const number = (low & 15) + 16 * (high & 3) - 32;
      return block.half(208) * block.signed(192 + (i >> 4)) * number;
    },
  },
];

/** The floats that it multiplies. The tests change their exponents: a low bit would not be seen in logits. */
export const FLOAT_FORMATS: QuantisedFormat[] = [
  {
    name: 'F16',
    type: 1,
    bytes: 64,
    weights: 32,
    halves: thirtyTwo((i) => 2 * i),
    firstWeight: 1,
    weight: (block, i) => block.half(2 * i),
  },
  {
    name: 'BF16',
    type: 30,
    bytes: 64,
    weights: 32,
    halves: thirtyTwo((i) => 2 * i),
    exponent: 52,
    firstWeight: 1,
    weight: (block, i) => block.brain(2 * i),
  },
  {
    name: 'F32',
    type: 0,
    bytes: 128,
    weights: 32,
    halves: thirtyTwo((i) => 4 * i + 2),
    exponent: 52,
    firstWeight: 3,
    weight: (block, i) => block.float(4 * i),
  },
];

function thirtyTwo(value: (index: number) => number): number[] {
  return Array.from({ length: 32 }, (_, index) => value(index));
}

/** The weights of these blocks, one after the other. */
export function unpacked(format: QuantisedFormat, bytes: Uint8Array): Float32Array {
  const weights = new Float32Array((bytes.length / format.bytes) * format.weights);
  for (let at = 0; at < bytes.length; at += format.bytes) {
    const block = new Block(bytes.subarray(at, at + format.bytes));
    const start = (at / format.bytes) * format.weights;
    for (let i = 0; i < format.weights; i++) weights[start + i] = format.weight(block, i);
  }
  return weights;
}

/** Random blocks. Their floats are small, as in real files, some of them subnormal; half of them are negative. */
export function randomBlocks(
  { bytes, halves, exponent = 0 }: QuantisedFormat,
  count: number,
  random: () => number,
): Uint8Array {
  const blocks = new Uint8Array(bytes * count).map(() => random() * 256);
  // The highest bits of a 16-bit float are its sign and its exponent.
  const highBits = () => (random() < 0.5 ? 0x80 : 0) + Math.floor(random() * 3) * 4;
  for (let block = 0; block < blocks.length; block += bytes) {
    for (const half of halves) {
      const high = block + half + 1;
      blocks[high] = ((blocks[high] ?? 0) & 3) + highBits() + exponent;
    }
  }
  return blocks;
}

/** The bytes of one block. */
class Block {
  readonly #view: DataView;

  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  byte(at: number): number {
    return this.#view.getUint8(at);
  }

  signed(at: number): number {
    return this.#view.getInt8(at);
  }

  bit(at: number, index: number): number {
    return (this.byte(at + (index >> 3)) >> (index & 7)) & 1;
  }

  half(at: number): number {
    return this.#view.getFloat16(at, true);
  }

  float(at: number): number {
    return this.#view.getFloat32(at, true);
  }

  /** A BF16: the high half of a 32-bit float. */
  brain(at: number): number {
    const view = new DataView(new ArrayBuffer(4));
    view.setUint16(2, this.#view.getUint16(at, true), true);
    return view.getFloat32(0, true);
  }
}

/** 4 bits of a block of 32: the low halves of 16 bytes are the first ones. */
function halfByte(block: Block, start: number, index: number): number {
  return (block.byte(start + (index & 15)) >> (index < 16 ? 0 : 4)) & 15;
}

/** 4 bits of a block of 256: each 32 bytes have the low halves for 32 weights, then the high ones. */
function lowBits(block: Block, start: number, index: number): number {
  return (block.byte(start + 32 * (index >> 6) + (index & 31)) >> (index & 32 ? 4 : 0)) & 15;
}

/** 2 bits of a block of 256: each 32 bytes have those of four times 32 weights. */
function twoBits(block: Block, start: number, index: number): number {
  return (block.byte(start + 32 * (index >> 7) + (index & 31)) >> (2 * ((index >> 5) & 3))) & 3;
}

/** Scale and minimum of a group of Q4_K or Q5_K: get_scale_min_k4. */
function sixBits(block: Block, group: number): { scale: number; minimum: number } {
  const byte = (index: number) => block.byte(4 + index);
  if (group < 4) return { scale: byte(group) & 63, minimum: byte(group + 4) & 63 };
  return {
    scale: (byte(group + 4) & 15) + ((byte(group - 4) >> 6) << 4),
    minimum: (byte(group + 4) >> 4) + ((byte(group) >> 6) << 4),
  };
}

/** Scale of a group of Q3_K. */
function q3Scale(block: Block, group: number): number {
  const low = (block.byte(96 + (group & 7)) >> (group < 8 ? 0 : 4)) & 15;
  const high = (block.byte(104 + (group & 3)) >> (2 * (group >> 2))) & 3;
  return low + 16 * high - 32;
}
