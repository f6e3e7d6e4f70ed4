import { invalidRequest, unsupportedValue } from '../../src/core/protocol/errors.ts';
import type { TemplateMessage, ToolCall } from '../../src/core/protocol/jobs.ts';
import { isTooDeep } from '../http/json-depth.ts';
import type { ChatMessage } from './chat-request.ts';

type RequestedCall = NonNullable<ChatMessage['tool_calls']>[number];

/**
 * Validated messages as chat templates see them.
 *
 * @throws ApiError 400 for content that is missing or not text, for calls whose arguments are not a JSON
 *   object, and for results of calls that no message made
 */
export function templateMessages(messages: readonly ChatMessage[]): TemplateMessage[] {
  /** Name of the called tool by the call's id. */
  const called = new Map<string, string>();
  return messages.map((message, index) => {
    const path = `messages[${index}]`;
    checkRole(message, path);
    const toolCalls = (message.tool_calls ?? []).map((call, nth) =>
      toolCall(call, `${path}.tool_calls[${nth}]`),
    );
    for (const { id, name } of toolCalls) called.set(id, name);
    const name = message.name ?? called.get(message.tool_call_id ?? '');
    return {
      role: message.role === 'developer' ? 'system' : message.role,
      content: joinContent(message.content ?? '', `${path}.content`),
      ...(name !== undefined && { name }),
      ...(toolCalls.length > 0 && { toolCalls }),
      ...(message.role === 'tool' && { toolCallId: answeredCall(message, path, called) }),
    };
  });
}

/** Refuses fields that the message's role has no place for: they would be lost. */
function checkRole(message: ChatMessage, path: string): void {
  const { role } = message;
  if (message.function_call != null) {
    const param = `${path}.function_call`;
    throw unsupportedValue('Function calls in messages are not supported.', param);
  }
  if (message.audio != null) {
    throw unsupportedValue('Audio in messages is not supported.', `${path}.audio`);
  }
  if (message.content == null && role !== 'assistant') {
    const param = `${path}.content`;
    throw invalidRequest(`'${param}' is required for role '${role}'.`, param);
  }
  if ((message.tool_calls?.length ?? 0) > 0 && role !== 'assistant') {
    const param = `${path}.tool_calls`;
    throw invalidRequest(`'${param}' is only for role 'assistant'.`, param);
  }
  if (message.tool_call_id != null && role !== 'tool') {
    const param = `${path}.tool_call_id`;
    throw invalidRequest(`'${param}' is only for role 'tool'.`, param);
  }
}

function toolCall({ id, type, function: called }: RequestedCall, path: string): ToolCall {
  if (type != null && type !== 'function') {
    throw unsupportedValue(`A tool call of type '${type}' is not supported.`, `${path}.type`);
  }
  const param = `${path}.function`;
  if (!called) throw invalidRequest(`'${param}' is required.`, param);
  // Some clients send an empty string for a call without arguments.
  const json = called.arguments.trim() === '' ? '{}' : called.arguments;
  checkArguments(json, `${param}.arguments`);
  return { id, name: called.name, arguments: json };
}

/** Chat templates write arguments out member by member, so they need an object. */
function checkArguments(json: string, param: string): void {
  const value = parseJson(json, param);
  if (isTooDeep(value)) throw invalidRequest(`'${param}' is nested too deeply.`, param);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return;
  throw invalidRequest(`'${param}' must be the JSON of an object.`, param);
}

function parseJson(json: string, param: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch (error) {
    const why = error instanceof Error ? ` (${error.message})` : '';
    throw invalidRequest(`'${param}' is not JSON${why}.`, param);
  }
}

/** @param called - names of the tools that earlier messages called, by the call's id */
function answeredCall(
  { tool_call_id: id }: ChatMessage,
  path: string,
  called: ReadonlyMap<string, string>,
): string {
  const param = `${path}.tool_call_id`;
  if (id == null) throw invalidRequest(`'${param}' is required for role 'tool'.`, param);
  if (called.has(id)) return id;
  throw invalidRequest(`'${param}' is '${id}', which no message before it has called.`, param);
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
