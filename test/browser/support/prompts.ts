/** What tests ask tiny-chat, and what it answers greedily. */

export function user(content: string) {
  return { role: 'user' as const, content };
}

export const GREETING = 'Hello! How can I help you?';

export const CAPITAL = 'What is the capital of France?';
export const PARIS = 'The capital of France is Paris.';

/** A request whose answer has more than a hundred tokens. A test that needs it under way holds it: see `Hold`. */
export const COUNT = { messages: [user('Count to 60.')], temperature: 0 };
export const COUNTED = countTo(60);

/** The answer to a request to count. */
export function countTo(last: number): string {
  return Array.from({ length: last }, (_, index) => index + 1).join(' ');
}

/** A format of 16 letters. The model finds all letters about equally likely. */
export const LETTERS = {
  type: 'json_schema',
  json_schema: { name: 'x', schema: { type: 'string', pattern: '^[a-z]{16}$' } },
} as const;
