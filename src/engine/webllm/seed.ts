/** The modulus of WebLLM's random generator (Lehmer's). Its states are 1 to MODULUS - 1. */
const MODULUS = 2 ** 31 - 1;

/**
 * Turns a request's seed into a state of WebLLM's random generator. The seed is mixed first:
 * unmixed, every small seed gives a first number near 0, and so the same likeliest token.
 *
 * @param seed - any number that JSON can hold as an integer
 * @param choice - which of the request's answers it is for; each has its own seed
 */
export function generatorState(seed: number, choice = 0): number {
  // Adding 0 turns -0, which differs in one bit, into 0.
  const words = new Uint32Array(new Float64Array([seed + 0]).buffer);
  const mixed = [...words, choice].reduce((state, word) => mix(state ^ word), 0x9e3779b9);
  return 1 + (mixed % (MODULUS - 1));
}

/** WebLLM's multiplier. */
const MULTIPLIER = 48_271n;

/** The generator's state after this many draws; one number is drawn for each token. */
export function advanced(state: number, draws: number): number {
  let result = BigInt(state);
  let factor = MULTIPLIER;
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
