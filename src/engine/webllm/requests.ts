import type {
  ChatCompletionMessageParam,
  ChatCompletionRequestStreaming,
  ChatOptions,
} from '@mlc-ai/web-llm';
import type { PromptUsage, Usage } from '../../core/operations/events/events.ts';
import type { Sampling } from '../../core/operations/jobs/jobs.ts';
import type { KvReuse, PromptPlan } from './pipeline/kv-conversation.ts';

/**
 * A conversation template that adds nothing to a prompt: WebLLM prefills exactly the text it is
 * given. It has no role_templates, because WebLLM passes them through String.replace, which mangles
 * "$&".
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
    // WebLLM refuses 0; the smallest positive number also means "only the likeliest token".
    top_p: sampling.topP === 0 ? Number.EPSILON : (sampling.topP ?? null),
    frequency_penalty: sampling.frequencyPenalty ?? null,
    presence_penalty: sampling.presencePenalty ?? null,
    repetition_penalty: sampling.repetitionPenalty ?? null,
    logit_bias: Object.keys(logitBias).length > 0 ? logitBias : null,
    seed: sampling.seed ?? null,
  };
}

/** WebLLM's count leaves out what the KV cache held, so that is added. */
export function wholeUsage(
  reuse: Pick<KvReuse, 'cachedTokens' | 'imageTokens'>,
  usage: { prompt_tokens: number; completion_tokens: number },
): Usage {
  return {
    promptTokens: reuse.cachedTokens + usage.prompt_tokens,
    completionTokens: usage.completion_tokens,
    ...heldUsage(reuse),
  };
}

/** The parts of a prompt's usage that WebLLM does not count. */
export function heldUsage({
  cachedTokens,
  imageTokens,
}: Pick<KvReuse, 'cachedTokens' | 'imageTokens'>): Omit<PromptUsage, 'promptTokens'> {
  return { cachedTokens, ...(imageTokens > 0 && { imageTokens }) };
}

/** What WebLLM needs to load a model whose files the cache shim serves. */
export interface LoadOptions {
  /** Path of the model library (WebAssembly) among the model's files. */
  modelLibrary: string;
  /** Overrides of the model's `mlc-chat-config.json`. */
  overrides: Record<string, unknown>;
  /** Ids of all tokens that end the model's turn. */
  stopTokenIds: number[];
  /** Ids that WebLLM puts before a first prompt, for models whose template cannot write them. */
  prefixTokenIds: number[] | null;
  /** Whether the GPU must have `shader-f16`. */
  needsF16: boolean;
  /** Whether the model may take this much more memory, bytes. */
  canAllocate: (bytes: number) => Promise<boolean>;
}
