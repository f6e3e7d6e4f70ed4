import { readFileSync } from 'node:fs';
import type OpenAI from 'openai';
import type { Page } from 'playwright/test';
import { Vocabulary } from '../../../src/engine/conversation/answer/vocabulary.ts';
import { chunksOf, complete, type ChatRequest } from '../support/chat.ts';
import { expect, test } from '../support/fixtures.ts';
import { CAPITAL, user } from '../support/prompts.ts';
import { reference } from '../../support/reference.ts';

type TokenLogprob = OpenAI.ChatCompletionTokenLogprob;

/** The largest difference from numpy that counts as rounding. A GPU has some products in 16 bits. */
const TOLERANCE = { cpu: 1e-3, gpu: 1e-2 };
const HELLO = user('Hello!');

async function ask(page: Page, request: ChatRequest) {
  const { choices, usage } = await complete(page, { logprobs: true, ...request });
  const [choice] = choices;
  const content = choice?.message.content ?? '';
  return { choice, content, tokens: choice?.logprobs?.content ?? [], usage };
}

function spelled(tokens: TokenLogprob[]): string {
  return new TextDecoder().decode(Uint8Array.from(tokens.flatMap(({ bytes }) => bytes ?? [])));
}

/** Numpy's likeliest tokens, as bytes, at each step of its answer to the first question. */
function expected() {
  const path = new URL('../../../models/packs/tiny-chat/tokenizer.json', import.meta.url);
  const vocabulary = new Vocabulary(JSON.parse(readFileSync(path, 'utf8')));
  const [turn] = reference('tiny-chat').conversations[0]?.turns ?? [];
  if (!turn) throw new Error('The reference has no conversation.');
  const steps = turn.steps.map((step) =>
    step.map(([id, logprob]) => ({ bytes: [...vocabulary.bytes(id)].join(), logprob })),
  );
  return { ...turn, steps };
}

for (const temperature of [0, 1]) {
  test(`at temperature ${temperature}, logprobs are those that numpy computes`, async ({
    ready,
    onGpu,
  }) => {
    const tolerance = TOLERANCE[onGpu ? 'gpu' : 'cpu'];
    const { text, answer, steps, tokens: prompt } = expected();
    const { content, tokens, usage } = await ask(ready, {
      messages: [user(CAPITAL)],
      // With top_p 0, the answer is the same at any temperature.
      temperature,
      top_p: 0,
      seed: 1,
      top_logprobs: 8,
      max_tokens: 40,
    });
    expect(text).toContain(CAPITAL);
    expect(usage?.prompt_tokens).toBe(prompt.length);
    expect(content).toBe(answer);
    // Numpy's last step is the end of the turn, which is not part of the text.
    expect(tokens.length).toBeGreaterThanOrEqual(steps.length - 1);
    for (const [index, step] of steps.slice(0, tokens.length).entries()) {
      const token = tokens[index];
      const top = new Map(token?.top_logprobs.map((it) => [it.bytes?.join(), it.logprob]));
      const [first] = step;
      expect(token?.bytes?.join()).toBe(first?.bytes);
      expect(difference(token?.logprob, first?.logprob)).toBeLessThan(tolerance);
      for (const { bytes, logprob } of step) {
        expect(difference(top.get(bytes), logprob), `step ${index}`).toBeLessThan(tolerance);
      }
    }
  });
}

/** NaN if a number is missing: it is not below any tolerance. */
function difference(a = NaN, b = NaN): number {
  return Math.abs(a - b);
}

test('the bytes of all tokens together are the text', async ({ ready }) => {
  let seen = '';
  for (const rest of [
    { temperature: 2, seed: 3, max_tokens: 60 },
    { temperature: 2, seed: 4, max_tokens: 60, stop: ['e', ' '] },
    { temperature: 0, reasoning_effort: 'high' as const },
    { temperature: 2, seed: 5, response_format: { type: 'json_object' as const }, max_tokens: 60 },
  ]) {
    const { choice, content, tokens } = await ask(ready, { messages: [user(CAPITAL)], ...rest });
    expect(choice).toBeDefined();
    expect(spelled(tokens)).toBe(content);
    expect(content === '').toBe(tokens.length === 0);
    seen += content;
  }
  expect(seen).not.toBe('');
});

test('in a stream, each chunk has the logprobs of its own text', async ({ ready }) => {
  const request = { messages: [HELLO], temperature: 0, logprobs: true, top_logprobs: 1 };
  const all = await chunksOf(ready, request);
  const chunks = all
    .map(({ choices: [choice] }) => ({
      text: choice?.delta.content ?? '',
      tokens: choice?.logprobs?.content ?? [],
    }))
    .filter(({ text }) => text !== '');
  expect(chunks.length).toBeGreaterThan(3);
  for (const { text, tokens } of chunks) {
    expect(spelled(tokens)).toBe(text);
    // Greedy decoding chooses the likeliest token.
    for (const token of tokens) expect(token.top_logprobs[0]?.token).toBe(token.token);
  }
});

test('under a grammar, logprobs are those of the model without the grammar', async ({ ready }) => {
  const schema = { const: 'Paris' };
  const { content, tokens } = await ask(ready, {
    messages: [HELLO],
    temperature: 0,
    reasoning_effort: 'none',
    top_logprobs: 1,
    response_format: { type: 'json_schema', json_schema: { name: 'x', schema } },
  });
  expect(content).toBe('"Paris"');
  // Without the grammar, the model would almost certainly say something else.
  expect(tokens[0]?.logprob).toBeLessThan(-1);
  expect(tokens[0]?.top_logprobs[0]?.token).not.toBe(tokens[0]?.token);
  expect(tokens[0]?.top_logprobs[0]?.logprob).toBeGreaterThan(-1);
});

test('a bias changes which token is chosen, but no logprobs', async ({ ready }) => {
  const base = { messages: [HELLO], temperature: 0, top_logprobs: 2, max_tokens: 1 };
  const plain = await ask(ready, base);
  const [first] = plain.tokens;
  // Token 22 is ".".
  const biased = await ask(ready, { ...base, logit_bias: { 22: 100 } });
  expect(biased.content).toBe('.');
  expect(biased.tokens[0]?.top_logprobs).toEqual(first?.top_logprobs);
  expect(biased.tokens[0]?.logprob).toBeLessThan(-1);
});
