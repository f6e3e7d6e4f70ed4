import * as v from 'valibot';

/** One answer as the page saw it. Times are in milliseconds, by the page's own clock. */
export const timedAnswerSchema = v.object({
  /** From the request to the first text. */
  firstMs: v.number(),
  /** From the first text to the last. */
  decodeMs: v.number(),
  /** From the start of the page's navigation to the first text. */
  sinceNavigationMs: v.number(),
  text: v.string(),
  promptTokens: v.number(),
  /** Tokens of the prompt that the KV cache already held. */
  cachedTokens: v.number(),
  completionTokens: v.number(),
});

/** The first answer of a reloaded page; `loadedMs` is from navigation until the model was loaded. */
export const timedReloadSchema = v.object({ ...timedAnswerSchema.entries, loadedMs: v.number() });

export type TimedAnswer = v.InferOutput<typeof timedAnswerSchema>;
export type TimedReload = v.InferOutput<typeof timedReloadSchema>;

/** @throws Error if the two sides did different work, because their times then can't be compared */
export function checkSameWork(v1: TimedAnswer, direct: TimedAnswer): void {
  checkSameAnswer(v1, direct);
  if (v1.cachedTokens === 0) return;
  throw new Error(`v1 found ${v1.cachedTokens} tokens in its KV cache; the other side read them.`);
}

/** @throws Error if the prompts or the answers differ */
export function checkSameAnswer(v1: TimedAnswer, direct: TimedAnswer): void {
  const same =
    v1.text === direct.text &&
    v1.promptTokens === direct.promptTokens &&
    v1.completionTokens === direct.completionTokens;
  if (same) return;
  const show = ({ text, promptTokens, completionTokens }: TimedAnswer) =>
    `${promptTokens} tokens → ${completionTokens} tokens, ${JSON.stringify(text)}`;
  throw new Error(`The two sides differ.\n  v1:     ${show(v1)}\n  direct: ${show(direct)}`);
}
