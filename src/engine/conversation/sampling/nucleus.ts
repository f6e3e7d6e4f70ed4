/** How many low bits of a number do not matter for its class. There are 8 classes for each power of 2. */
const FINE_BITS = 20;
/** Classes of numbers up to 1. */
const CLASSES = (0x3f800000 >>> FINE_BITS) + 1;

/** Where a nucleus ends. */
interface End {
  /** The smallest weight in it. */
  least: number;
  /** How many of the tokens with this weight are in it, in the order of their ids. */
  ties: number;
}

/**
 * Keeps the fewest tokens, the heaviest first, whose weights reach a sum; the weights of the others become 0,
 * in place. Takes a few passes and sorts few tokens: sorting all would take longer than the rest of sampling.
 *
 * @param weights - from 0 to 1
 * @returns the sum of the weights that are kept
 */
export function keepNucleus(weights: Float32Array, sum: number): number {
  const { least, ties } = nucleusEnd(weights, sum);
  let kept = 0;
  let left = ties;
  for (let token = 0; token < weights.length; token++) {
    const weight = weights[token] ?? 0;
    if (weight > least || (weight === least && left-- > 0)) kept += weight;
    else weights[token] = 0;
  }
  return kept;
}

/** Finds the end by classes: numbers from 0 to 1 have the order of their bits, so the first bits give the class. */
function nucleusEnd(weights: Float32Array, sum: number): End {
  const bits = new Uint32Array(weights.buffer, weights.byteOffset, weights.length);
  const sums = new Float64Array(CLASSES);
  for (let token = 0; token < weights.length; token++) {
    const its = (bits[token] ?? 0) >>> FINE_BITS;
    sums[its] = (sums[its] ?? 0) + (weights[token] ?? 0);
  }
  let reached = 0;
  let last = CLASSES - 1;
  for (; last > 0 && reached + (sums[last] ?? 0) < sum; last--) reached += sums[last] ?? 0;
  const members = weights.filter((_, token) => (bits[token] ?? 0) >>> FINE_BITS === last);
  return endIn(members.sort().reverse(), sum - reached);
}

/** @param weights - the heaviest first */
function endIn(weights: Float32Array, sum: number): End {
  let reached = 0;
  // Rounding may keep the sum of all weights below the wanted one.
  const place = weights.findIndex((weight) => (reached += weight) >= sum);
  const end = place < 0 ? weights.length - 1 : place;
  const least = weights[end] ?? 0;
  return { least, ties: end - weights.indexOf(least) + 1 };
}
