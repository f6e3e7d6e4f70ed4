import type { TokenLogprob } from '../../src/core/protocol/events.ts';

/**
 * Log-probabilities as text completions have them.
 *
 * @param offset - where in the choice's text the first token stands, UTF-16 units
 */
export function logprobsBody(logprobs: readonly TokenLogprob[], offset: number) {
  let at = offset;
  return {
    tokens: logprobs.map(({ token }) => token),
    token_logprobs: logprobs.map(({ logprob }) => logprob),
    top_logprobs: logprobs.map(({ top }) =>
      Object.fromEntries(top.map(({ token, logprob }) => [token, logprob])),
    ),
    text_offset: logprobs.map(({ token }) => {
      const start = at;
      at += token.length;
      return start;
    }),
  };
}

/** Mean over the tokens of an answer; without tokens: the least. */
export function meanLogprob(logprobs: readonly TokenLogprob[] = []): number {
  const sum = logprobs.reduce((total, { logprob }) => total + logprob, 0);
  return logprobs.length > 0 ? sum / logprobs.length : -Infinity;
}
