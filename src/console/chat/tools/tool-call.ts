import { member } from '../../member.ts';
import { messages } from '../../messages/messages.ts';

/** A function that the model wants to be called. */
export interface ToolCall {
  /** Names the call in its result. */
  id: string;
  /** Of the function. */
  name: string;
  /** JSON, as the model wrote it: it may be invalid. */
  arguments: string;
}

/** What a called function has returned. */
export interface ToolResult {
  /** Id of the call. */
  call: string;
  /** Of the function. */
  name: string;
  text: string;
}

/** A part of a call, as it comes in a stream: first the id and the name, then the arguments in pieces. */
export interface ToolCallPiece {
  type: 'tool';
  /** Place of the call among those of the answer. */
  index: number;
  id: string;
  name: string;
  arguments: string;
}

/** The calls with one more piece. */
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

/** The arguments with a line for each member; what is no JSON stays as it is. */
export function readableJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/**
 * Why a text is no list of tools, as the API takes it; empty if it is one, or blank.
 */
export function toolsProblem(text: string): string {
  if (text.trim() === '') return '';
  try {
    const tools: unknown = JSON.parse(text);
    if (!Array.isArray(tools) || tools.length === 0) return messages.value.chat.tools.notList;
    return tools.every(hasFunctionName) ? '' : messages.value.chat.tools.noName;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function hasFunctionName(tool: unknown): boolean {
  const called = member(tool, 'function');
  const name = member(called, 'name');
  return typeof name === 'string' && name !== '';
}
