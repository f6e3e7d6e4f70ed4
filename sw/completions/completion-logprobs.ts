import type {
  ScoredPrompt,
  TokenChance,
  TokenLogprob,
} from '../../src/core/operations/events/events.ts';

interface LogprobsBody {
  tokens: string[];
  token_logprobs: (number | null)[];
  top_logprobs: (Record<string, number> | null)[];
  text_offset: number[];
}

/**
 * Log-probabilities as text completions have them.
 *
 * @param offset - where in the choice's text the first token stands, UTF-16 units
 */
export function logprobsBody(logprobs: readonly TokenLogprob[], offset: number): LogprobsBody {
  return {
    tokens: logprobs.map(({ token }) => token),
    token_logprobs: logprobs.map(({ logprob }) => logprob),
    // The token that was written is always among them.
    top_logprobs: logprobs.map(({ top, ...written }) =>
      Object.fromEntries([...top, written].map(({ token, logprob }) => [token, logprob])),
    ),
    text_offset: offsets(logprobs, offset),
  };
}

/** Log-probabilities of an echoed prompt. */
export function promptLogprobsBody({ unscored, scored }: ScoredPrompt): LogprobsBody {
  const body = logprobsBody(scored, 0);
  const none = unscored.map(() => null);
  return {
    tokens: [...unscored.map(({ token }) => token), ...body.tokens],
    token_logprobs: [...none, ...body.token_logprobs],
    top_logprobs: [...none, ...body.top_logprobs],
    text_offset: offsets([...unscored, ...scored], 0),
  };
}

/** Joins the log-probabilities of two texts, one after the other. */
export function joinedLogprobs(first: LogprobsBody, second: LogprobsBody): LogprobsBody {
  return {
    tokens: [...first.tokens, ...second.tokens],
    token_logprobs: [...first.token_logprobs, ...second.token_logprobs],
    top_logprobs: [...first.top_logprobs, ...second.top_logprobs],
    text_offset: [...first.text_offset, ...second.text_offset],
  };
}

/** Mean over the tokens of an answer; without tokens: -Infinity. */
export function meanLogprob(logprobs: readonly TokenLogprob[] = []): number {
  const sum = logprobs.reduce((total, { logprob }) => total + logprob, 0);
  return logprobs.length > 0 ? sum / logprobs.length : -Infinity;
}

/** Where each token stands. A token that begins inside a character stands where the character begins. */
function offsets(tokens: readonly Pick<TokenChance, 'bytes'>[], offset: number): number[] {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let at = offset;
  return tokens.map(({ bytes }) => {
    const start = at;
    at += decoder.decode(Uint8Array.from(bytes), { stream: true }).length;
    return start;
  });
}
