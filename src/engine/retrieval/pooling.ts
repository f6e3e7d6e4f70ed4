import type { Pooling } from '../../core/files/retrieval/pooling-config.ts';

/** The states of a text's tokens: `length` rows of `width` numbers. */
export interface TokenStates {
  values: Float32Array;
  /** Number of tokens without padding, which comes after them. */
  length: number;
  width: number;
  /** How many of the first tokens only `cls` takes into account; undefined: none. */
  skipped?: number | undefined;
}

/** One vector of a text for each kind of pooling, joined, as sentence-transformers does it. */
export function pooled(states: TokenStates, kinds: readonly Pooling[]): Float32Array {
  const { width } = states;
  const vector = new Float32Array(width * kinds.length);
  for (const [index, kind] of kinds.entries()) vector.set(pool(states, kind), index * width);
  return vector;
}

function pool(states: TokenStates, kind: Pooling): Float32Array {
  const { length, skipped = 0 } = states;
  const counted = length - skipped;
  switch (kind) {
    case 'cls':
      return row(states, 0);
    case 'last':
      return row(states, length - 1);
    case 'max':
      return largest(states);
    case 'mean':
      return sum(states, () => 1 / counted);
    case 'mean_sqrt_len':
      return sum(states, () => 1 / Math.sqrt(counted));
    case 'weighted_mean':
      return sum(states, (at) => (at + 1) / ((counted * (skipped + 1 + length)) / 2));
  }
}

function row({ values, width }: TokenStates, at: number): Float32Array {
  return values.subarray(at * width, (at + 1) * width);
}

function sum(states: TokenStates, weight: (at: number) => number): Float32Array {
  const { values, length, width, skipped = 0 } = states;
  const total = new Float32Array(width);
  for (let at = skipped; at < length; at++) {
    const factor = weight(at);
    for (let index = 0; index < width; index++) {
      total[index] = (total[index] ?? 0) + factor * (values[at * width + index] ?? 0);
    }
  }
  return total;
}

function largest({ values, length, width, skipped = 0 }: TokenStates): Float32Array {
  const most = values.slice(skipped * width, (skipped + 1) * width);
  for (let at = skipped + 1; at < length; at++) {
    for (let index = 0; index < width; index++) {
      most[index] = Math.max(most[index] ?? 0, values[at * width + index] ?? 0);
    }
  }
  return most;
}

/** The first numbers of a vector, scaled to length 1; a zero vector stays zero. */
export function cutAndNormalised(vector: Float32Array, dimensions: number): Float32Array {
  const cut = vector.slice(0, dimensions);
  const norm = Math.hypot(...cut);
  return norm === 0 ? cut : cut.map((value) => value / norm);
}
