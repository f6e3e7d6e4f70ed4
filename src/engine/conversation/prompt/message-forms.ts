import type { TemplateMessage } from '../../../core/operations/jobs/jobs.ts';

/** Yields a conversation in plainer and plainer forms, for templates that refuse it as it is. */
export function* messageForms(messages: TemplateMessage[]): Generator<TemplateMessage[]> {
  yield messages;
  yield mergeRoles(messages);
  yield mergeRoles(systemAsUser(messages));
  if (messages.some(saysBesideThought)) yield messages.map(thoughtAsText);
  if (messages.every(({ toolCalls = [] }) => toolCalls.length < 2)) return;
  const single = oneCallEach(messages);
  yield single;
  yield mergeRoles(systemAsUser(single));
}

function saysBesideThought({ content, reasoning, toolCalls = [] }: TemplateMessage): boolean {
  return content !== '' && reasoning !== undefined && toolCalls.length > 0;
}

/** gpt-oss has no place for a text between a thought and a call: it writes either as a thought. */
function thoughtAsText(message: TemplateMessage): TemplateMessage {
  if (!saysBesideThought(message)) return message;
  const { reasoning, content, ...rest } = message;
  return { ...rest, content: `${reasoning}\n\n${content}` };
}

/** Merges consecutive messages of one role. Calls and their results are not merged. */
function mergeRoles(messages: TemplateMessage[]): TemplateMessage[] {
  const merged: TemplateMessage[] = [];
  for (const message of messages) {
    const last = merged.at(-1);
    if (last && isPlain(last) && isPlain(message) && last.role === message.role) {
      last.content += `\n\n${message.content}`;
    } else merged.push({ ...message });
  }
  return merged;
}

function isPlain({ role, toolCalls = [] }: TemplateMessage): boolean {
  return role !== 'tool' && toolCalls.length === 0;
}

function systemAsUser(messages: TemplateMessage[]): TemplateMessage[] {
  return messages.map((message) =>
    message.role === 'system' ? { ...message, role: 'user' } : message,
  );
}

/** Turns parallel calls into calls that were made one after the other. */
export function oneCallEach(messages: readonly TemplateMessage[]): TemplateMessage[] {
  return messages.flatMap((message, index) => {
    const { toolCalls = [] } = message;
    if (message.role === 'tool') return isAnswerToSeveral(messages, index) ? [] : [message];
    if (toolCalls.length < 2) return [message];
    const results = resultsAfter(messages, index);
    return toolCalls.flatMap((call, nth) => [
      { ...(nth === 0 ? message : { role: message.role, content: '' }), toolCalls: [call] },
      ...results.filter(({ toolCallId }) => toolCallId === call.id),
    ]);
  });
}

/** The results that follow a message of calls, up to the next message of another kind. */
function resultsAfter(messages: readonly TemplateMessage[], index: number): TemplateMessage[] {
  const rest = messages.slice(index + 1);
  const end = rest.findIndex(({ role }) => role !== 'tool');
  return end < 0 ? rest : rest.slice(0, end);
}

/** Whether the result was already placed after its call. */
function isAnswerToSeveral(messages: readonly TemplateMessage[], index: number): boolean {
  const before = messages.slice(0, index).findLast(({ role }) => role !== 'tool');
  const calls = before?.toolCalls ?? [];
  return calls.length > 1 && calls.some(({ id }) => id === messages[index]?.toolCallId);
}
