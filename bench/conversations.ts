import type { TemplateMessage } from '../src/core/operations/jobs/jobs.ts';
import type { TimedAnswer } from './answer.ts';

/** Each client has a name. */
const NAMES = ['Ann', 'Bob', 'Eve', 'Tom'];
const SYSTEM: TemplateMessage = { role: 'system', content: 'You are a helpful assistant.' };

/** The messages of a client, in their order. */
const says = (name: string) => [
  ...[`My name is ${name}.`, 'What is my name?', 'What is the capital of France?', 'Count to 9.'],
  ...['Hello!', 'What is the capital of Italy?', 'Count to 7.', 'What is my name?'],
];

/** A turn of a conversation. The text of its answer is part of the next turn's prompt. */
export interface Turn {
  text: string;
}

/**
 * Runs conversations that alternate: the first turn of each client, then the second turn of each client, and so on.
 *
 * @param count - number of clients, at most four
 * @param ask - gets all messages of the conversation so far
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

/** Tokens of a conversation's last prompt that the model did not write. Even a perfect KV cache must prefill them. */
export function newTokens(
  turns: readonly Pick<TimedAnswer, 'promptTokens' | 'completionTokens'>[],
): number {
  const [first, last] = [turns[0], turns.at(-1)];
  if (!first || !last) return 0;
  const written = turns.slice(0, -1).reduce((sum, turn) => sum + turn.completionTokens, 0);
  return last.promptTokens - written;
}
