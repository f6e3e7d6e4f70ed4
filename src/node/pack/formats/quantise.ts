import { PackError } from '../pack-error.ts';

/** Values along k that share a scale. */
const GROUP = 32;

const { fround } = Math;

/** A 4-bit matrix as models/QUANTISATION.md lays it out. */
export interface QuantisedLinear {
  /** `[k/8, n]`: eight 4-bit values along k. */
  q: Uint32Array;
  /** `[k/64, n]`: bytes dq, mq of two groups. */
  s: Uint32Array;
  /** `[2, n]`: scales of the scales, then of the minima. */
  c: Float32Array;
}

/** A 6-bit embedding as models/QUANTISATION.md lays it out. */
export interface QuantisedEmbedding {
  /** `[k/8, v]`: low 4 bits, eight along k. */
  lo: Uint32Array;
  /** `[k/16, v]`: high 2 bits, sixteen along k. */
  hi: Uint32Array;
  /** `[ceil(k/128), v]`: four 8-bit scales. */
  s: Uint32Array;
  /** `[v]`: scales of the scales. */
  c: Float32Array;
}

/**
 * Every step is rounded to f32, so that numpy and JAX, computing in f32, get the same bits.
 *
 * @param rows - `[n, k]`
 * @throws PackError if k is not divisible by 64 or a value is not finite
 */
export function quantiseLinear(rows: Float32Array, k: number): QuantisedLinear {
  if (k % 64)
    throw new PackError(`A linear weight has ${k} inputs, which is not a multiple of 64.`);
  const n = rows.length / k;
  const result = {
    q: new Uint32Array(rows.length / 8),
    s: new Uint32Array(rows.length / 64),
    c: new Float32Array(2 * n),
  };
  for (let column = 0; column < n; column++) {
    quantiseColumn(rows.subarray(column * k, (column + 1) * k), column, n, result);
  }
  return result;
}

/**
 * @param rows - `[v, k]`
 * @throws PackError if k is not divisible by 32 or a value is not finite
 */
export function quantiseEmbedding(rows: Float32Array, k: number): QuantisedEmbedding {
  if (k % GROUP)
    throw new PackError(`The embedding has ${k} values, which is not a multiple of ${GROUP}.`);
  const tokens = rows.length / k;
  const result = {
    lo: new Uint32Array(rows.length / 8),
    hi: new Uint32Array(rows.length / 16),
    s: new Uint32Array(Math.ceil(k / 128) * tokens),
    c: new Float32Array(tokens),
  };
  for (let token = 0; token < tokens; token++) {
    quantiseToken(rows.subarray(token * k, (token + 1) * k), token, tokens, result);
  }
  return result;
}

function quantiseColumn(
  column: Float32Array,
  at: number,
  stride: number,
  { q, s, c }: QuantisedLinear,
): void {
  const groups = column.length / GROUP;
  const steps = new Float32Array(groups);
  const minima = new Float32Array(groups);
  for (let g = 0; g < groups; g++) {
    const [lo, hi] = range(column, g * GROUP);
    steps[g] = fround(hi - lo) / 15;
    minima[g] = Math.max(-lo, 0);
  }
  const stepScale = scaleOfScales(steps);
  const minimumScale = scaleOfScales(minima);
  c[at] = stepScale;
  c[stride + at] = minimumScale;
  for (let g = 0; g < groups; g++) {
    const dq = clip(round((steps[g] ?? 0) / stepScale), 1, 255);
    const mq = clip(round((minima[g] ?? 0) / minimumScale), 0, 255);
    const word = Math.floor(g / 2) * stride + at;
    s[word] = (s[word] ?? 0) | ((dq | (mq << 8)) << (16 * (g % 2)));
    const step = fround(stepScale * dq);
    const minimum = fround(minimumScale * mq);
    for (let i = 0; i < 4; i++) {
      q[(g * 4 + i) * stride + at] = nibbles(column, g * GROUP + i * 8, step, minimum);
    }
  }
}

/** Eight 4-bit values, the first in the lowest bits. */
function nibbles(column: Float32Array, from: number, step: number, minimum: number): number {
  let word = 0;
  for (let i = 0; i < 8; i++) {
    const shifted = fround((column[from + i] ?? 0) + minimum);
    word |= clip(round(shifted / step), 0, 15) << (4 * i);
  }
  return word;
}

function quantiseToken(
  row: Float32Array,
  at: number,
  stride: number,
  { lo, hi, s, c }: QuantisedEmbedding,
): void {
  const groups = row.length / GROUP;
  const steps = new Float32Array(groups);
  for (let g = 0; g < groups; g++) {
    const [least, greatest] = range(row, g * GROUP);
    steps[g] = Math.max(-least, greatest) / 31;
  }
  const stepScale = scaleOfScales(steps);
  c[at] = stepScale;
  for (let g = 0; g < groups; g++) {
    const dq = clip(round((steps[g] ?? 0) / stepScale), 1, 255);
    const word = Math.floor(g / 4) * stride + at;
    s[word] = (s[word] ?? 0) | (dq << (8 * (g % 4)));
    const step = fround(stepScale * dq);
    for (let half = 0; half < 2; half++) {
      const from = (g * 2 + half) * 16;
      const [first, second, high] = sixteen(row, from, step);
      lo[(from / 8) * stride + at] = first;
      lo[(from / 8 + 1) * stride + at] = second;
      hi[(from / 16) * stride + at] = high;
    }
  }
}

/** Sixteen 6-bit values: low bits of the first eight, of the other eight, and all high bits. */
function sixteen(row: Float32Array, from: number, step: number): [number, number, number] {
  let first = 0;
  let second = 0;
  let high = 0;
  for (let i = 0; i < 8; i++) {
    const a = sixBits(row[from + i] ?? 0, step);
    const b = sixBits(row[from + 8 + i] ?? 0, step);
    first |= (a & 15) << (4 * i);
    second |= (b & 15) << (4 * i);
    high |= ((a >> 4) << (2 * i)) | ((b >> 4) << (2 * i + 16));
  }
  return [first, second, high];
}

function sixBits(value: number, step: number): number {
  return clip(round(value / step), -31, 31) + 32;
}

/** Least and greatest of the 32 values of a group. */
function range(values: Float32Array, from: number): [number, number] {
  let lo = Infinity;
  let hi = -Infinity;
  for (let i = from; i < from + GROUP; i++) {
    lo = Math.min(lo, values[i] ?? 0);
    hi = Math.max(hi, values[i] ?? 0);
  }
  return [lo, hi];
}

/** The scale with which the greatest scale becomes 255. */
function scaleOfScales(scales: Float32Array): number {
  let greatest = 0;
  for (const scale of scales) greatest = Math.max(greatest, scale);
  if (!Number.isFinite(greatest)) throw new PackError('A weight is not a finite number.');
  return fround(greatest / 255) || 1;
}

/** To the nearest integer, halves up, in f32. */
function round(quotient: number): number {
  return Math.floor(fround(fround(quotient) + 0.5));
}

function clip(value: number, least: number, greatest: number): number {
  return Math.min(Math.max(value, least), greatest);
}
