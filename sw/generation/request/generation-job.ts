import { unsupportedValue } from '../../../src/core/errors/errors.ts';
import type { GenerateJob, Sampling } from '../../../src/core/operations/jobs/jobs.ts';
import type { AnswerView } from '../answer/encoder.ts';
import type { CompletionOptions, SamplingRequest } from './generation-request.ts';
import type { View } from '../answer/respond.ts';

/** The part of the job that all endpoints ask for in the same way. */
export function generationJob(
  request: SamplingRequest & Partial<CompletionOptions>,
): Omit<GenerateJob, 'prompt' | 'maxTokens'> {
  const { model, stop, n, stream_options: options, timings_per_token: timings } = request;
  const countsTokens = (options?.continuous_usage_stats ?? false) || (timings ?? false);
  const ending = requestedEnding(request);
  return {
    op: 'generate',
    model,
    sampling: sampling(request),
    stop: (stop ?? []).filter((text) => text !== ''),
    ...((n ?? 1) > 1 && { choices: n ?? 1 }),
    ...(countsTokens && { countsTokens }),
    ...(request.skip_special_tokens === false && { showsControlTokens: true }),
    ...(request.return_progress && request.stream && { tellsReading: true }),
    ...(Object.keys(ending).length > 0 && { ending }),
  };
}

function requestedEnding(request: Partial<CompletionOptions>): NonNullable<GenerateJob['ending']> {
  const { min_tokens: minTokens, ignore_eos, stop_token_ids: ids } = request;
  return {
    ...((minTokens ?? 0) > 0 && { minTokens: minTokens ?? 0 }),
    ...(ignore_eos && { ignoresEnd: true }),
    ...((ids ?? []).length > 0 && { stopTokenIds: ids ?? [] }),
  };
}

/** What a request wants to see beside its answers. */
export function answerView(
  request: CompletionOptions,
  counts: { perPrompt: number; answers: number },
): AnswerView {
  const options = request.stream_options;
  return {
    ...counts,
    usage: {
      atEnd: options?.include_usage ?? false,
      always: options?.continuous_usage_stats ?? false,
    },
    timings: request.timings_per_token ?? false,
    promptProgress: request.return_progress ?? false,
  };
}

/** Which parts of the model's output a request wants; undefined: all of it, as the model writes it. */
export function viewOf(request: CompletionOptions, hidesReasoning = false): View | undefined {
  const includesStop = request.include_stop_str_in_output ?? false;
  return hidesReasoning || includesStop ? { hidesReasoning, includesStop } : undefined;
}

/**
 * Variables for the chat template beside the messages. Most templates that think can only turn it off;
 * those with levels read `reasoning_effort`.
 */
export function templateOptions(
  reasoning_effort: string | null | undefined,
  chat_template_kwargs: Record<string, unknown> | null | undefined,
): Record<string, unknown> {
  const enable_thinking = reasoning_effort !== 'none' && reasoning_effort !== 'minimal';
  return {
    ...(reasoning_effort != null && { enable_thinking, reasoning_effort }),
    ...chat_template_kwargs,
  };
}

/** @throws ApiError 400 unsupported_value if the request asks for what this server lacks */
export function refuse(isAsked: boolean, param: string): void {
  if (isAsked) throw unsupportedValue(`'${param}' is not supported.`, param);
}

function sampling(request: SamplingRequest): Sampling {
  return {
    ...(request.temperature != null && { temperature: request.temperature }),
    ...(request.top_p != null && { topP: request.top_p }),
    ...(request.top_k != null && request.top_k > 0 && { topK: request.top_k }),
    ...(request.min_p != null && { minP: request.min_p }),
    ...(request.frequency_penalty != null && { frequencyPenalty: request.frequency_penalty }),
    ...(request.presence_penalty != null && { presencePenalty: request.presence_penalty }),
    ...(request.repetition_penalty != null && { repetitionPenalty: request.repetition_penalty }),
    ...(request.logit_bias != null && { logitBias: request.logit_bias }),
    ...(request.seed != null && { seed: request.seed }),
  };
}
