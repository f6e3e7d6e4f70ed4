import type { TemplateMessage } from '../src/core/operations/jobs.ts';
import type { TimedAnswer } from './answer.ts';

/** Each client has a name. */
const NAMES = ['Ann', 'Bob', 'Eve', 'Tom'];
const SYSTEM: TemplateMessage = { role: 'system', content: 'You are a helpful assistant.' };

/** What a client says, one after the other. */
const says = (name: string) => [
  ...[`My name is ${name}.`, 'What is my name?', 'What is the capital of France?', 'Count to 9.'],
  ...['Hello!', 'What is the capital of Italy?', 'Count to 7.', 'What is my name?'],
];

/** A turn of a conversation; the text of the answer is part of the next one. */
export interface Turn {
  text: string;
}

/**
 * Has conversations that take turns.
 *
 * @param count - of clients, at most four
 * @param ask - asks with all messages so far
 * @returns the turns of each client
 */
export async function takeTurns<T extends Turn>(
  count: number,
  ask: (messages: TemplateMessage[]) => Promise<T>,
): Promise<T[][]> {
  const clients = NAMES.slice(0, count).map((name) => ({
    texts: says(name),
    messages: [SYSTEM],
    turns: new Array<T>(),
  }));
  for (const turn of says('').keys()) {
    for (const { texts, messages, turns } of clients) {
      messages.push({ role: 'user', content: texts[turn] ?? '' });
      const answer = await ask(messages);
      messages.push({ role: 'assistant', content: answer.text });
      turns.push(answer);
    }
  }
  return clients.map(({ turns }) => turns);
}

/** Tokens of the prompts that were not read from a KV cache. */
export function prefilledTokens(
  turns: readonly Pick<TimedAnswer, 'promptTokens' | 'cachedTokens'>[],
): number {
  return turns.reduce(
    (sum, { promptTokens, cachedTokens }) => sum + promptTokens - cachedTokens,
    0,
  );
}

/** Tokens of one conversation's prompts that its last prompt and answer did not have. */
export function newTokens(
  turns: readonly Pick<TimedAnswer, 'promptTokens' | 'completionTokens'>[],
): number {
  const [first, last] = [turns[0], turns.at(-1)];
  if (!first || !last) return 0;
  const written = turns.slice(0, -1).reduce((sum, turn) => sum + turn.completionTokens, 0);
  return last.promptTokens - written;
}
