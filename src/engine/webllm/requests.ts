import type {
  ChatCompletionMessageParam,
  ChatCompletionRequestStreaming,
  ChatOptions,
} from '@mlc-ai/web-llm';
import type { Usage } from '../../core/protocol/events.ts';
import type { Sampling } from '../../core/protocol/jobs.ts';
import type { PromptPlan } from './kv-conversation.ts';
import type { LoadOptions } from './load-options.ts';

/**
 * Makes WebLLM's conversation add nothing to a prompt: it prefills exactly the text it is given. No
 * role_templates: they go through String.replace, which mangles "$&".
 */
export function passThrough(
  options: Pick<LoadOptions, 'overrides' | 'stopTokenIds' | 'prefixTokenIds'>,
): ChatOptions {
  return {
    ...options.overrides,
    conv_template: {
      system_template: '{system_message}',
      system_message: '',
      render_empty_system_message: false,
      roles: { user: '', assistant: '', tool: '' },
      seps: [''],
      role_content_sep: '',
      role_empty_sep: '',
      stop_str: [],
      stop_token_ids: options.stopTokenIds,
      ...(options.prefixTokenIds && { system_prefix_token_ids: options.prefixTokenIds }),
    },
  };
}

export function streamRequest(
  plan: PromptPlan,
  sampling: Sampling,
  maxTokens: number | undefined,
): ChatCompletionRequestStreaming {
  const { logitBias = {} } = sampling;
  const messages = plan.turns.flatMap((turn): ChatCompletionMessageParam[] => [
    { role: 'user', content: turn.prompt },
    { role: 'assistant', content: turn.output },
  ]);
  return {
    messages: [...messages, { role: 'user', content: plan.prompt }],
    stream: true,
    stream_options: { include_usage: true },
    max_tokens: maxTokens ?? null,
    temperature: sampling.temperature ?? null,
    // WebLLM refuses 0, which means the same as "only the likeliest token".
    top_p: sampling.topP === 0 ? Number.EPSILON : (sampling.topP ?? null),
    frequency_penalty: sampling.frequencyPenalty ?? null,
    presence_penalty: sampling.presencePenalty ?? null,
    repetition_penalty: sampling.repetitionPenalty ?? null,
    logit_bias: Object.keys(logitBias).length > 0 ? logitBias : null,
    seed: sampling.seed ?? null,
  };
}

/** WebLLM counts only what it prefilled now. */
export function wholeUsage(
  cachedTokens: number,
  usage: { prompt_tokens: number; completion_tokens: number },
): Usage {
  return {
    promptTokens: cachedTokens + usage.prompt_tokens,
    completionTokens: usage.completion_tokens,
    cachedTokens,
  };
}
