import * as v from 'valibot';
import { unsupportedValue } from '../../src/core/errors/errors.ts';
import { templateOptions } from '../generation/request/generation-job.ts';
import { reasoningEffort } from '../generation/request/generation-request.ts';
import { flag, integerFrom, object, optional } from '../http/fields.ts';

/** How OpenAI, OpenRouter, vLLM and llama.cpp let a request steer the thinking. */
export const reasoningEntries = {
  reasoning_effort: reasoningEffort,
  reasoning: optional(
    object({
      effort: reasoningEffort,
      enabled: optional(flag),
      exclude: optional(flag),
      max_tokens: integerFrom(1),
    }),
  ),
  include_reasoning: optional(flag),
  reasoning_format: optional(
    v.picklist(
      ['none', 'auto', 'deepseek', 'deepseek-legacy'],
      'must be one of auto, deepseek, deepseek-legacy',
    ),
  ),
};

type ReasoningRequest = v.InferOutput<v.ObjectSchema<typeof reasoningEntries, undefined>>;

/**
 * Variables for the chat template.
 *
 * @param kwargs - the request's own variables, which take precedence
 * @throws ApiError 400 if thinking is to be part of the answer's content
 */
export function reasoningOptions(
  { reasoning_effort, reasoning, reasoning_format }: ReasoningRequest,
  kwargs: Record<string, unknown> | null | undefined,
): Record<string, unknown> {
  if (reasoning_format === 'none') {
    const message = "'reasoning_format' none is not supported: thinking is never content.";
    throw unsupportedValue(message, 'reasoning_format');
  }
  const enabled = reasoning?.enabled;
  return templateOptions(reasoning_effort ?? reasoning?.effort, {
    ...(enabled != null && { enable_thinking: enabled }),
    ...kwargs,
  });
}

export function hidesReasoning({ reasoning, include_reasoning }: ReasoningRequest): boolean {
  return reasoning?.exclude === true || include_reasoning === false;
}
