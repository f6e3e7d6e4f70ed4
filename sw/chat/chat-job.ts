import { invalidRequest, unsupportedValue } from '../../src/core/errors/errors.ts';
import type {
  AnswerFormat,
  GenerateJob,
  RequestedImage,
  TemplateMessage,
  ToolOffer,
} from '../../src/core/operations/jobs/jobs.ts';
import { tokenLimit } from '../generation/request/generation-request.ts';
import { generationJob, refuse } from '../generation/request/generation-job.ts';
import { promptCaching, refuseBreakpoint } from '../generation/request/prompt-caching.ts';
import { requestedFormat } from '../generation/request/requested-format.ts';
import { templateMessages } from './chat-messages.ts';
import type { ChatRequest } from './chat-request.ts';
import type { RequestedSound } from '../generation/request/requested-sound.ts';
import { reasoningOptions } from './chat-reasoning.ts';
import { chatTools } from './chat-tools.ts';
import { spokenAudio } from './spoken/asked-speech.ts';

/**
 * A validated chat request as the engine's job.
 *
 * @param images - the images of the messages are added to these
 * @param sounds - the recordings of the messages are added to these; undefined: nobody hears them
 * @throws ApiError 400 for what this server cannot honour
 */
export function chatJob(
  request: ChatRequest,
  images: RequestedImage[],
  sounds?: RequestedSound[],
): GenerateJob {
  refuseUnsupported(request);
  if (request.messages.length === 0) {
    throw invalidRequest("'messages' must not be empty.", 'messages', 'empty_array');
  }
  if (request.logprobs !== true && topLogprobs(request) > 0) {
    throw invalidRequest("'top_logprobs' is only allowed with 'logprobs': true.", 'top_logprobs');
  }
  const { format } = requestedFormat(request);
  spokenAudio(request, format !== undefined);
  const tools = chatTools(request);
  const maxTokens = tokenLimit(request.max_completion_tokens ?? request.max_tokens);
  const maxThinkingTokens = request.reasoning?.max_tokens;
  const messages = templateMessages(request.messages, images, sounds);
  const prediction = predicted(request);
  const continuesFinal = continuesLast(messages.at(-1), request, format, tools);
  return {
    ...generationJob(request),
    ...promptCaching(request),
    prompt: {
      kind: 'chat',
      messages,
      templateOptions: reasoningOptions(request, request.chat_template_kwargs),
      ...(continuesFinal && { continuesFinal }),
    },
    ...(maxTokens !== undefined && { maxTokens }),
    ...(maxThinkingTokens != null && { maxThinkingTokens }),
    ...(request.logprobs === true && { topLogprobs: topLogprobs(request) }),
    ...(format && { format }),
    ...(tools && { tools }),
    ...(prediction !== undefined && { prediction }),
  };
}

/**
 * Whether the answer continues the last message. An assistant's message at the end is continued, as
 * llama.cpp, Ollama and LM Studio do, unless the request says otherwise or wants a call or a format.
 */
function continuesLast(
  last: TemplateMessage | undefined,
  request: ChatRequest,
  format: AnswerFormat | undefined,
  tools: ToolOffer | undefined,
): boolean {
  const { continue_final_message: asked, add_generation_prompt: isNew } = request;
  const param = 'continue_final_message';
  const isBegun = last?.role === 'assistant' && !last.toolCalls && last.content !== '';
  if (asked && !isBegun) {
    throw invalidRequest(`'${param}' needs an assistant's message with text at the end.`, param);
  }
  const mustCall = tools !== undefined && tools.choice !== 'auto' && tools.choice !== 'none';
  const isHeld = format !== undefined || mustCall;
  if (asked && isHeld) {
    throw unsupportedValue(`'${param}' is not supported with a format or a forced call.`, param);
  }
  return isBegun && !isHeld && (asked ?? isNew !== true);
}

function predicted({ prediction }: ChatRequest): string | undefined {
  const content = prediction?.content;
  if (typeof content !== 'object') return content;
  content.forEach(({ prompt_cache_breakpoint: given }, index) =>
    refuseBreakpoint(given, `prediction.content[${index}].prompt_cache_breakpoint`),
  );
  return content.map(({ text }) => text).join('');
}

function topLogprobs(request: ChatRequest): number {
  return request.top_logprobs ?? 0;
}

function refuseUnsupported(request: ChatRequest): void {
  refuse(request.functions != null, 'functions');
  refuse(request.function_call != null, 'function_call');
  refuse(request.moderation != null, 'moderation');
  refuse(request.web_search_options != null, 'web_search_options');
}
