import { invalidRequest, unsupportedValue } from '../src/core/errors.ts';
import type { GenerateJob, TemplateMessage } from '../src/core/engine.ts';
import { commonJob } from './generate-job.ts';
import { outputGrammar } from './output-grammar.ts';
import type { ChatMessage, ChatRequest } from './request-schema.ts';

/**
 * A validated chat request as the engine's job.
 *
 * @throws ApiError 400 for what this server cannot honour: nothing asked for is dropped silently
 */
export function chatJob(request: ChatRequest): GenerateJob {
  refuseUnsupported(request);
  if (request.messages.length === 0) {
    throw invalidRequest("'messages' must not be empty.", 'messages', 'empty_array');
  }
  if (request.logprobs !== true && topLogprobs(request) > 0) {
    throw invalidRequest("'top_logprobs' is only allowed with 'logprobs': true.", 'top_logprobs');
  }
  const grammar = outputGrammar(request.response_format);
  const maxTokens = request.max_completion_tokens ?? request.max_tokens;
  return {
    ...commonJob(request),
    prompt: {
      kind: 'chat',
      messages: request.messages.map(templateMessage),
      templateOptions: templateOptions(request),
    },
    ...(maxTokens != null && { maxTokens }),
    ...(request.logprobs === true && { topLogprobs: topLogprobs(request) }),
    ...(grammar !== undefined && { grammar }),
  };
}

function topLogprobs(request: ChatRequest): number {
  return request.top_logprobs ?? 0;
}

function refuseUnsupported(request: ChatRequest): void {
  const refuse = (asked: boolean, param: string) => {
    if (asked) throw unsupportedValue(`'${param}' is not supported.`, param);
  };
  refuse((request.tools?.length ?? 0) > 0, 'tools');
  refuse(
    ![null, undefined, 'none', 'auto'].some((it) => it === request.tool_choice),
    'tool_choice',
  );
  refuse(request.functions != null, 'functions');
  refuse(request.function_call != null, 'function_call');
  refuse(request.audio != null, 'audio');
  refuse(request.modalities?.some((modality) => modality !== 'text') ?? false, 'modalities');
}

function templateMessage(message: ChatMessage, index: number): TemplateMessage {
  if ((message.tool_calls?.length ?? 0) > 0) {
    const param = `messages[${index}].tool_calls`;
    throw unsupportedValue('Tool calls in messages are not supported.', param);
  }
  if (message.function_call != null) {
    const param = `messages[${index}].function_call`;
    throw unsupportedValue('Function calls in messages are not supported.', param);
  }
  if (message.content == null && message.role !== 'assistant') {
    const param = `messages[${index}].content`;
    throw invalidRequest(`'${param}' is required for role '${message.role}'.`, param);
  }
  return {
    role: message.role === 'developer' ? 'system' : message.role,
    content: joinContent(message.content ?? '', `messages[${index}].content`),
    ...(message.name != null && { name: message.name }),
  };
}

function joinContent(content: NonNullable<ChatMessage['content']>, path: string): string {
  if (typeof content === 'string') return content;
  const texts = content.map((part, index) => {
    const at = `${path}[${index}]`;
    if (part.type !== 'text' && part.type !== 'refusal') {
      throw unsupportedValue(`A content part of type '${part.type}' is not supported.`, at);
    }
    const text = part[part.type];
    if (typeof text !== 'string') {
      const param = `${at}.${part.type}`;
      throw invalidRequest(`'${param}' must be a string.`, param);
    }
    return text;
  });
  return texts.join('');
}

/** Variables for the chat template beside the messages. */
function templateOptions(request: ChatRequest): Record<string, unknown> {
  const effort = request.reasoning_effort;
  return {
    ...(effort != null && { enable_thinking: effort !== 'none' && effort !== 'minimal' }),
    ...request.chat_template_kwargs,
  };
}
