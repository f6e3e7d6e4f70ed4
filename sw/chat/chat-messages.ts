import { invalidRequest, unsupportedValue } from '../../src/core/errors/errors.ts';
import type {
  RequestedImage,
  TemplateMessage,
  ToolCall,
} from '../../src/core/operations/jobs/jobs.ts';
import { callArguments } from '../generation/request/call-arguments.ts';
import { joinContent } from '../generation/request/content.ts';
import type { ChatMessage } from './chat-request.ts';
import type { RequestedSound } from '../generation/request/requested-sound.ts';

const HEARING =
  ' A site lets recordings be written down for its models with start({ hear: "<model>" }); ' +
  'POST v1/audio/transcriptions writes them down, too.';

const PARTS = {
  text: ['text'],
  image: 'image_url',
  field: '',
  hints: { input_audio: HEARING },
};

type RequestedCall = NonNullable<ChatMessage['tool_calls']>[number];

/**
 * Validated messages as chat templates see them.
 *
 * @param images - the images of users and tools are added to these
 * @param sounds - the recordings of users are added to these; undefined: nobody hears them
 * @throws ApiError 400 for content that is missing or not supported, for calls whose arguments are not a JSON object,
 *   and for results of calls that no message made
 */
export function templateMessages(
  messages: readonly ChatMessage[],
  images: RequestedImage[],
  sounds?: RequestedSound[],
): TemplateMessage[] {
  /** Name of the called tool by the call's id. */
  const called = new Map<string, string>();
  return messages.map((message, index) => {
    const path = `messages[${index}]`;
    checkRole(message, path);
    const toolCalls = (message.tool_calls ?? []).map((call, nth) =>
      toolCall(call, `${path}.tool_calls[${nth}]`),
    );
    for (const { id, name } of toolCalls) called.set(id, name);
    const reasoning = message.reasoning ?? message.reasoning_content;
    const name = message.name ?? called.get(message.tool_call_id ?? '');
    const isShown = message.role === 'user' || message.role === 'tool';
    const heard = message.role === 'user' ? sounds : undefined;
    const content = message.content ?? '';
    return {
      role: message.role === 'developer' ? 'system' : message.role,
      content: joinContent(content, `${path}.content`, PARTS, isShown ? images : undefined, heard),
      ...(name !== undefined && { name }),
      ...(message.role === 'assistant' && reasoning != null && { reasoning }),
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
  if (message.audio != null && role !== 'assistant') {
    const param = `${path}.audio`;
    throw invalidRequest(`'${param}' is only for role 'assistant'.`, param);
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
  return {
    id,
    name: called.name,
    arguments: callArguments(called.arguments, `${param}.arguments`),
  };
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
