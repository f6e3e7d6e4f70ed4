import { invalidRequest } from '../../src/core/protocol/errors.ts';
import type { GenerateJob } from '../../src/core/protocol/jobs.ts';
import { generationJob, refuse } from '../generation/generation-job.ts';
import { answerFormat } from './answer-format.ts';
import { templateMessages } from './chat-messages.ts';
import type { ChatRequest } from './chat-request.ts';
import { toolOffer } from './tool-offer.ts';

/**
 * A validated chat request as the engine's job.
 *
 * @throws ApiError 400 for what this server cannot honour
 */
export function chatJob(request: ChatRequest): GenerateJob {
  refuseUnsupported(request);
  if (request.messages.length === 0) {
    throw invalidRequest("'messages' must not be empty.", 'messages', 'empty_array');
  }
  if (request.logprobs !== true && topLogprobs(request) > 0) {
    throw invalidRequest("'top_logprobs' is only allowed with 'logprobs': true.", 'top_logprobs');
  }
  const format = answerFormat(request.response_format);
  const tools = toolOffer(request);
  const maxTokens = request.max_completion_tokens ?? request.max_tokens;
  return {
    ...generationJob(request),
    prompt: {
      kind: 'chat',
      messages: templateMessages(request.messages),
      templateOptions: templateOptions(request),
    },
    ...(maxTokens != null && { maxTokens }),
    ...(request.logprobs === true && { topLogprobs: topLogprobs(request) }),
    ...(format && { format }),
    ...(tools && { tools }),
  };
}

function topLogprobs(request: ChatRequest): number {
  return request.top_logprobs ?? 0;
}

function refuseUnsupported(request: ChatRequest): void {
  refuse(request.functions != null, 'functions');
  refuse(request.function_call != null, 'function_call');
  refuse(request.audio != null, 'audio');
  refuse(request.moderation != null, 'moderation');
  refuse(request.web_search_options != null, 'web_search_options');
  refuse(request.modalities?.some((modality) => modality !== 'text') ?? false, 'modalities');
}

/**
 * Variables for the chat template beside the messages. Most templates that think can only turn it off;
 * those with levels read `reasoning_effort`.
 */
function templateOptions(request: ChatRequest): Record<string, unknown> {
  const { reasoning_effort, chat_template_kwargs } = request;
  const enable_thinking = reasoning_effort !== 'none' && reasoning_effort !== 'minimal';
  return {
    ...(reasoning_effort != null && { enable_thinking, reasoning_effort }),
    ...chat_template_kwargs,
  };
}
