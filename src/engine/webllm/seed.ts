/** WebLLM's generator is Lehmer's, modulo this: its states are 1 to one less. */
const MODULUS = 2 ** 31 - 1;

/**
 * A request's seed as a state of WebLLM's random generator. As it stands, that gives for every small
 * seed a first number near 0, hence the same likeliest token: so the seed is mixed.
 *
 * @param seed - any number that JSON can hold as an integer
 * @param choice - which of the request's answers it is for: each gets a seed of its own
 */
export function generatorState(seed: number, choice = 0): number {
  // Adding 0 makes of -0, which differs by a bit, 0.
  const words = new Uint32Array(new Float64Array([seed + 0]).buffer);
  const mixed = [...words, choice].reduce((state, word) => mix(state ^ word), 0x9e3779b9);
  return 1 + (mixed % (MODULUS - 1));
}

/** WebLLM's multiplier. */
const MULTIPLIER = 48_271n;

/** The state of WebLLM's random generator after so many numbers: one is drawn for each token. */
export function advanced(state: number, draws: number): number {
  let result = BigInt(state);
  let factor = MULTIPLIER;
  for (let left = draws; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) result = (result * factor) % BigInt(MODULUS);
    factor = (factor * factor) % BigInt(MODULUS);
  }
  return Number(result);
}

/** The finaliser of MurmurHash3: each bit of the word changes half of the result's. */
function mix(word: number): number {
  let mixed = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
