import { expect, test } from 'vitest';
import { MODEL } from '../support/api.ts';
import { LlamaCppEngine } from '../support/llamacpp-engine.ts';
import { quickApp } from '../support/quick-app.ts';
import { json, type ChatBody } from '../support/read.ts';

const { post } = quickApp(new LlamaCppEngine());

const ask = async <T>(path: string, body: object) => {
  const response = await post(path, JSON.stringify({ model: MODEL, ...body }));
  expect(response.status).toBe(200);
  return json<T>(response);
};

interface Tokens {
  tokens: number[];
  count: number;
  token_strs: string[];
}

const tokenize = (body: object) => ask<Tokens>('/tokenize', { ...body, return_token_strs: true });

const USER = { role: 'user', content: 'Hi' };
const ANSWER = { role: 'assistant', content: 'Hello' };
const SYSTEM = { role: 'system', content: 'Be kind.' };
const TOOLS = [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }];

test.each([
  ['a message', { messages: [USER] }],
  ['a conversation', { messages: [SYSTEM, USER, ANSWER, USER] }],
  ['one with tools', { messages: [USER], tools: TOOLS }],
  ['an answer that is continued', { messages: [USER, ANSWER] }],
  ['an answer that is not', { messages: [USER, ANSWER], add_generation_prompt: true }],
])('tokenize gives the tokens that a chat reads: %s', async (_what, body) => {
  const { tokens, count, token_strs: strings } = await tokenize(body);
  const { usage } = await ask<ChatBody>('/chat/completions', { ...body, max_tokens: 1 });
  expect(count).toBe(usage?.prompt_tokens);
  expect([tokens.length, strings.length]).toEqual([count, count]);
  const { prompt } = await ask<{ prompt: string }>('/detokenize', { tokens });
  expect(strings.join('')).toBe(prompt);
});

test('tokenize leaves out the beginning of an answer if it is told to', async () => {
  const texts = async (body: object) => (await tokenize(body)).token_strs.join('');
  const closed = { add_generation_prompt: false };
  const asked = await texts({ messages: [USER], ...closed });
  expect(await texts({ messages: [USER] })).toBe(`${asked}<|im_start|>assistant\n`);
  const whole = await texts({ messages: [USER, ANSWER], ...closed });
  expect(whole).toBe(`${asked}<|im_start|>assistant\nHello<|im_end|>\n`);
  const begun = await texts({ messages: [USER, ANSWER], ...closed, continue_final_message: true });
  expect(begun).toBe(`${asked}<|im_start|>assistant\nHello`);
  // A chat about these messages begins an answer all the same.
  const { usage } = await ask<ChatBody>('/chat/completions', {
    messages: [USER],
    max_tokens: 1,
    chat_template_kwargs: closed,
    ...closed,
  });
  expect(usage?.prompt_tokens).toBe((await tokenize({ messages: [USER] })).count);
});
