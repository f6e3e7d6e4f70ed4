import type { RandomStart } from '../text-model.ts';

/** Lehmer's generator, as WebLLM has it. Its states are 1 to MODULUS - 1. */
const MODULUS = 2 ** 31 - 1;
const MULTIPLIER = 48_271;

/** The state from which a generation draws its first number. */
export function firstState({ seed, choice, drawn }: RandomStart): number {
  return advanced(seededState(seed, choice), drawn);
}

/** Random numbers between 0 and 1, exclusive: the same in every engine. */
export class RandomNumbers {
  #state: number;

  constructor(start: RandomStart) {
    this.#state = firstState(start);
  }

  next(): number {
    this.#state = (this.#state * MULTIPLIER) % MODULUS;
    return this.#state / MODULUS;
  }
}

/**
 * Turns a request's seed into a state. The seed is mixed first: unmixed, every small seed gives a
 * first number near 0, and so the same likeliest token.
 */
function seededState(seed: number, choice: number): number {
  // Adding 0 turns -0, which differs in one bit, into 0.
  const words = new Uint32Array(new Float64Array([seed + 0]).buffer);
  const mixed = [...words, choice].reduce((state, word) => mix(state ^ word), 0x9e3779b9);
  return 1 + (mixed % (MODULUS - 1));
}

/** The state after this many draws; one number is drawn for each token. */
function advanced(state: number, draws: number): number {
  let result = BigInt(state);
  let factor = BigInt(MULTIPLIER);
  for (let left = draws; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) result = (result * factor) % BigInt(MODULUS);
    factor = (factor * factor) % BigInt(MODULUS);
  }
  return Number(result);
}

/** MurmurHash3's finaliser: each bit of the word changes about half of the bits of the result. */
function mix(word: number): number {
  let mixed = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
