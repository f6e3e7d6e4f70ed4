import type { TokenChance, TokenLogprob } from '../../../core/operations/events/events.ts';
import type { SampledToken } from './sampler.ts';
import type { TokenBytes } from '../answer/vocabulary.ts';

/** JSON has no -Infinity; other servers send this instead. */
const LEAST_LOGPROB = -9999;

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** A token's id and probabilities as clients see them. */
export function tokenLogprob(
  vocabulary: TokenBytes,
  { id, logprob, top }: SampledToken,
): TokenLogprob {
  const chance = (token: number, value: number): TokenChance => {
    const text = tokenText(vocabulary, token);
    return { ...text, logprob: Math.max(value, LEAST_LOGPROB) };
  };
  return { ...chance(id, logprob), top: top.map(([other, value]) => chance(other, value)) };
}

export function tokenText(vocabulary: TokenBytes, id: number): Omit<TokenChance, 'logprob'> {
  const bytes = [...vocabulary.bytes(id)];
  return { token: bytesText(bytes), bytes };
}

/** UTF-8 as text, incomplete characters as U+FFFD. */
export function bytesText(bytes: readonly number[]): string {
  return decoder.decode(Uint8Array.from(bytes));
}
