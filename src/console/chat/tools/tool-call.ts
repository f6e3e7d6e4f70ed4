import { member } from '../../json.ts';
import { messages } from '../../messages/messages.ts';
import { messageOf } from '../../../core/text/message-of.ts';

/** A function that the model wants to be called. */
export interface ToolCall {
  /** Names the call in its result. */
  id: string;
  /** The function's name. */
  name: string;
  /** JSON, as the model wrote it: it may be invalid. */
  arguments: string;
}

/** The result of a called function. */
export interface ToolResult {
  /** Id of the call. */
  call: string;
  /** The function's name. */
  name: string;
  text: string;
}

/** A piece of a streamed call: first the id and the name, then parts of the arguments. */
export interface ToolCallPiece {
  type: 'tool';
  /** Index of the call among the answer's calls. */
  index: number;
  id: string;
  name: string;
  arguments: string;
}

/** Adds a piece to the calls. */
export function withPiece(calls: readonly ToolCall[], piece: ToolCallPiece): ToolCall[] {
  const { index } = piece;
  const { id, name, arguments: before } = calls[index] ?? { id: '', name: '', arguments: '' };
  const next = {
    id: id + piece.id,
    name: name + piece.name,
    arguments: before + piece.arguments,
  };
  return calls.length > index ? calls.with(index, next) : [...calls, next];
}

/**
 * Why a text is not a list of tools in the API's form; empty if it is one, or blank.
 */
export function toolsProblem(text: string): string {
  if (text.trim() === '') return '';
  try {
    const tools: unknown = JSON.parse(text);
    if (!Array.isArray(tools) || tools.length === 0) return messages.value.chat.tools.notList;
    return tools.every(hasFunctionName) ? '' : messages.value.chat.tools.noName;
  } catch (error) {
    return messageOf(error);
  }
}

function hasFunctionName(tool: unknown): boolean {
  const called = member(tool, 'function');
  const name = member(called, 'name');
  return typeof name === 'string' && name !== '';
}
