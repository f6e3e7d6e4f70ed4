import * as v from 'valibot';

/** What a page reports of one answer; see `page/recorder.ts`. */
export const answerSchema = v.object({
  firstMs: v.number(),
  decodeMs: v.number(),
  sinceNavigationMs: v.number(),
  text: v.string(),
  promptTokens: v.number(),
  cachedTokens: v.number(),
  completionTokens: v.number(),
});

export const reloadSchema = v.object({ ...answerSchema.entries, loadedMs: v.number() });

export type Answer = v.InferOutput<typeof answerSchema>;
export type Reload = v.InferOutput<typeof reloadSchema>;

/** @throws Error when the two did not do the same work, so that their times say nothing */
export function checkSameWork(v1: Answer, direct: Answer): void {
  checkSameAnswer(v1, direct);
  if (v1.cachedTokens === 0) return;
  throw new Error(`v1 found ${v1.cachedTokens} tokens in its KV cache, which the other side read.`);
}

/** @throws Error when the two were not asked or did not say the same */
export function checkSameAnswer(v1: Answer, direct: Answer): void {
  const same =
    v1.text === direct.text &&
    v1.promptTokens === direct.promptTokens &&
    v1.completionTokens === direct.completionTokens;
  if (same) return;
  const show = ({ text, promptTokens, completionTokens }: Answer) =>
    `${promptTokens} tokens → ${completionTokens} tokens, ${JSON.stringify(text)}`;
  throw new Error(`The two sides differ.\n  v1:     ${show(v1)}\n  direct: ${show(direct)}`);
}
