import { draftCounts, totalDrafts } from '../../../src/core/operations/drafts.ts';
import type { PromptUsage, Usage } from '../../../src/core/operations/events/events.ts';
import { totalWrites } from '../../../src/core/operations/prompt-caching.ts';

/**
 * Usage as the OpenAI API writes it.
 *
 * @param isPredicted - whether the request had a prediction: its tokens that were not written count, too
 */
export function usageBody(usage: Usage, isPredicted = false) {
  const { drafted, accepted } = draftCounts(usage.drafts, ['prediction']);
  const rejected = isPredicted ? drafted - accepted : 0;
  const completionTokens = usage.completionTokens + rejected;
  const details = {
    ...(usage.reasoningTokens !== undefined && { reasoning_tokens: usage.reasoningTokens }),
    ...(isPredicted && {
      accepted_prediction_tokens: accepted,
      rejected_prediction_tokens: rejected,
    }),
  };
  return {
    prompt_tokens: usage.promptTokens,
    completion_tokens: completionTokens,
    total_tokens: usage.promptTokens + completionTokens,
    prompt_tokens_details: {
      cached_tokens: usage.cachedTokens,
      cache_write_tokens: writtenTokens(usage),
      ...(usage.imageTokens !== undefined && { image_tokens: usage.imageTokens }),
      ...(usage.audioTokens !== undefined && { audio_tokens: usage.audioTokens }),
    },
    ...(Object.keys(details).length > 0 && { completion_tokens_details: details }),
  };
}

/** How many tokens of a prompt were put into copies at breakpoints. */
export function writtenTokens({ cacheWrites: { short, long } = NOTHING }: PromptUsage): number {
  return short + long;
}

/** The details of a prompt's usage as the Responses API writes them. */
export function inputDetails(usage: PromptUsage) {
  const { cachedTokens, cacheWrites } = usage;
  return {
    cached_tokens: cachedTokens,
    cache_write_tokens: writtenTokens(usage),
    ...(cacheWrites && {
      cache_write_tokens_details: {
        ttl_30m_tokens: cacheWrites.short,
        ttl_12h_tokens: cacheWrites.long,
      },
    }),
  };
}

const NOTHING = { short: 0, long: 0 };

/**
 * The usage of several answers. A prompt counts once, however often it was read.
 *
 * @param perPrompt - how many answers each prompt has, one after the other
 */
export function totalUsage(usages: readonly Usage[], perPrompt: number): Usage {
  const ofPrompts = usages.filter((_, index) => index % perPrompt === 0);
  const sum = (of: readonly Usage[], value: (usage: Usage) => number) =>
    of.reduce((total, usage) => total + value(usage), 0);
  const sees = ofPrompts.some(({ imageTokens }) => imageTokens !== undefined);
  const hears = ofPrompts.some(({ audioTokens }) => audioTokens !== undefined);
  const thinks = usages.some(({ reasoningTokens }) => reasoningTokens !== undefined);
  return {
    promptTokens: sum(ofPrompts, ({ promptTokens }) => promptTokens),
    cachedTokens: sum(ofPrompts, ({ cachedTokens }) => cachedTokens),
    ...totalWrites(ofPrompts.map(({ cacheWrites }) => cacheWrites)),
    ...(sees && { imageTokens: sum(ofPrompts, ({ imageTokens = 0 }) => imageTokens) }),
    ...(hears && { audioTokens: sum(ofPrompts, ({ audioTokens = 0 }) => audioTokens) }),
    completionTokens: sum(usages, ({ completionTokens }) => completionTokens),
    ...(thinks && { reasoningTokens: sum(usages, ({ reasoningTokens = 0 }) => reasoningTokens) }),
    ...totalDrafts(usages.map(({ drafts }) => drafts)),
  };
}

/** The usage of a request that only reads. */
export function tokensRead(tokens: number) {
  return { prompt_tokens: tokens, total_tokens: tokens };
}
