import { invalidRequest } from '../../../src/core/errors/errors.ts';
import type { TemplateMessage, ToolCall } from '../../../src/core/operations/jobs/jobs.ts';

/** A part of what the assistant wrote. */
export interface AssistantPart {
  content?: string;
  reasoning?: string;
  toolCalls?: ToolCall[];
}

/** Builds a conversation from parts: consecutive parts of the assistant become one message. */
export class Transcript {
  readonly messages: TemplateMessage[] = [];
  /** Name of the called tool by the call's id. */
  readonly #called = new Map<string, string>();

  add(message: TemplateMessage): void {
    this.messages.push(message);
    for (const { id, name } of message.toolCalls ?? []) this.#called.set(id, name);
  }

  assistant({ content = '', reasoning, toolCalls = [] }: AssistantPart): void {
    const last = this.messages.at(-1);
    const before = last?.role === 'assistant' ? last : { role: 'assistant' as const, content: '' };
    if (before === last) this.messages.pop();
    const thoughts = [before.reasoning, reasoning].filter((text) => text !== undefined);
    const calls = [...(before.toolCalls ?? []), ...toolCalls];
    this.add({
      role: 'assistant',
      content: before.content + content,
      ...(thoughts.length > 0 && { reasoning: thoughts.join('') }),
      ...(calls.length > 0 && { toolCalls: calls }),
    });
  }

  /**
   * Adds the result of a call.
   *
   * @param param - the field of the call's id
   * @throws ApiError 400 if nothing before it made the call
   */
  result(toolCallId: string, content: string, param: string): void {
    const name = this.#called.get(toolCallId);
    if (name !== undefined) return this.add({ role: 'tool', content, name, toolCallId });
    throw invalidRequest(
      `'${param}' is '${toolCallId}', which no message before it has called.`,
      param,
    );
  }
}
