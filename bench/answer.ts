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

/** The first answer of a reloaded page. */
export const timedReloadSchema = v.object({
  ...timedAnswerSchema.entries,
  /** How long `start()` took with the model, or what stands for it on the other side. */
  startMs: v.number(),
  /** From navigation until the model was loaded. */
  loadedMs: v.number(),
});

export type TimedAnswer = v.InferOutput<typeof timedAnswerSchema>;
export type TimedReload = v.InferOutput<typeof timedReloadSchema>;

/** @throws Error if the two sides did different work, because their times then can't be compared */
export function checkSameWork(v1: TimedAnswer, direct: TimedAnswer): void {
  checkSameAnswer(v1, direct);
  checkNothingCached(v1);
}

/** For two engines whose texts may differ: @throws Error if they read or wrote different numbers of tokens */
export function checkSameLength(v1: TimedAnswer, direct: TimedAnswer): void {
  checkSamePrompt(v1, direct);
  checkEqual('Tokens of the answers', v1.completionTokens, direct.completionTokens);
}

/** For two models: @throws Error if they read different numbers of tokens */
export function checkSamePrompt(v1: TimedAnswer, direct: TimedAnswer): void {
  checkEqual('Tokens of the prompts', v1.promptTokens, direct.promptTokens);
  for (const answer of [v1, direct]) checkNothingCached(answer);
}

function checkEqual(what: string, v1: number, direct: number): void {
  if (v1 !== direct) throw new Error(`${what} differ: ${v1} through v1, ${direct} directly.`);
}

function checkNothingCached({ cachedTokens }: TimedAnswer): void {
  if (cachedTokens === 0) return;
  throw new Error(
    `One side found ${cachedTokens} tokens in its KV cache; the other one read them.`,
  );
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
