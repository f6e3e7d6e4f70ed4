import type { Sampling } from '../../../core/operations/jobs/jobs.ts';
import { at, maximum } from './logits.ts';
import { keepNucleus } from './nucleus.ts';

/**
 * Draws the next token at the temperature from the nucleus of `topP`: the fewest tokens, the likeliest
 * first, that together have that probability. At temperature 0, draws the likeliest token; if several
 * tie, the first of them.
 *
 * @param logits - after mask, bias, penalties and limits
 * @param random - between 0 and 1
 * @returns undefined if no token is possible: all are masked, or a logit is NaN
 */
export function drawToken(
  logits: Float32Array,
  { temperature, topP = 1 }: Sampling & { temperature: number },
  random: number,
): number | undefined {
  const top = maximum(logits);
  if (Number.isNaN(top) || top === -Infinity) return undefined;
  // A penalty close to 0 makes logits infinite.
  if (temperature === 0 || top === Infinity) return logits.indexOf(top);
  const weights = new Float32Array(logits.length);
  let total = 0;
  for (let token = 0; token < logits.length; token++) {
    const weight = Math.exp((at(logits, token) - top) / temperature);
    weights[token] = weight;
    total += weight;
  }
  if (topP >= 1) return pick(weights, random * total);
  return pick(weights, random * keepNucleus(weights, topP * total));
}

/** The token at which the sum of the weights passes the mark. */
function pick(weights: Float32Array, mark: number): number | undefined {
  let left = mark;
  let last: number | undefined;
  for (let token = 0; token < weights.length; token++) {
    const weight = weights[token] ?? 0;
    if (weight === 0) continue;
    last = token;
    left -= weight;
    if (left < 0) break;
  }
  return last;
}
