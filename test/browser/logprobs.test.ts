import { readFileSync } from 'node:fs';
import type OpenAI from 'openai';
import type { Page } from 'playwright/test';
import { Vocabulary } from '../../src/engine/text/vocabulary.ts';
import { expect, test, TINY } from './support/fixtures.ts';
import { reference } from './support/reference.ts';

type Request = Omit<OpenAI.ChatCompletionCreateParamsNonStreaming, 'model'>;
type Choice = OpenAI.ChatCompletion.Choice;
type TokenLogprob = OpenAI.ChatCompletionTokenLogprob;

/** Largest difference from numpy's that is put down to rounding. */
const TOLERANCE = 1e-3;
const FRANCE = { role: 'user' as const, content: 'What is the capital of France?' };
const GREETING = { role: 'user' as const, content: 'Hello!' };

function ask(page: Page, request: Request): Promise<Choice[]> {
  return page.evaluate(
    async ([model, body]) =>
      (await window.client.chat.completions.create({ model, logprobs: true, ...body })).choices,
    [TINY, request] as const,
  );
}

async function askOne(page: Page, request: Request) {
  const [choice] = await ask(page, request);
  const content = choice?.message.content ?? '';
  return { choice, content, tokens: choice?.logprobs?.content ?? [] };
}

function spelled(tokens: TokenLogprob[]): string {
  return new TextDecoder().decode(Uint8Array.from(tokens.flatMap(({ bytes }) => bytes ?? [])));
}

/** Numpy's likeliest tokens at each step of its answer to the first question, by their bytes. */
function expected() {
  const path = new URL('../../models/packs/tiny-chat/tokenizer.json', import.meta.url);
  const vocabulary = new Vocabulary(JSON.parse(readFileSync(path, 'utf8')));
  const [turn] = reference('tiny-chat').conversations[0]?.turns ?? [];
  if (!turn) throw new Error('The reference has no conversation.');
  const steps = turn.steps.map((step) =>
    step.map(([id, logprob]) => ({ bytes: [...vocabulary.bytes(id)].join(), logprob })),
  );
  return { ...turn, steps };
}

for (const temperature of [0, 1]) {
  test(`at temperature ${temperature} they are those that numpy computes`, async ({ ready }) => {
    const { text, answer, steps, tokens: prompt } = expected();
    const { choices, usage } = await ready.evaluate(
      async ([model, sampling]) => {
        return window.client.chat.completions.create({
          model,
          messages: [{ role: 'user', content: 'What is the capital of France?' }],
          // Whatever the temperature, it says what numpy says.
          ...{ temperature: sampling, top_p: 0, seed: 1 },
          ...{ logprobs: true, top_logprobs: 8, max_tokens: 40 },
        });
      },
      [TINY, temperature] as const,
    );
    expect(text).toContain(FRANCE.content);
    expect(usage?.prompt_tokens).toBe(prompt.length);
    const tokens = choices[0]?.logprobs?.content ?? [];
    expect(choices[0]?.message.content).toBe(answer);
    // Numpy's last step is the end of the turn, which is no part of the text.
    const told = tokens.length;
    expect(told).toBeGreaterThanOrEqual(steps.length - 1);
    for (const [index, step] of steps.slice(0, told).entries()) {
      const top = new Map(tokens[index]?.top_logprobs.map((it) => [it.bytes?.join(), it.logprob]));
      for (const { bytes, logprob } of step) {
        expect(Math.abs((top.get(bytes) ?? NaN) - logprob), `step ${index}`).toBeLessThan(
          TOLERANCE,
        );
      }
      expect(tokens[index]?.bytes?.join()).toBe(step[0]?.bytes);
      expect(Math.abs((tokens[index]?.logprob ?? NaN) - (step[0]?.logprob ?? NaN))).toBeLessThan(
        TOLERANCE,
      );
    }
  });
}

test('all together, the bytes of the tokens are the text', async ({ ready }) => {
  let seen = '';
  for (const rest of [
    { temperature: 2, seed: 3, max_tokens: 60 },
    { temperature: 2, seed: 4, max_tokens: 60, stop: ['e', ' '] },
    { temperature: 0, reasoning_effort: 'high' as const },
    { temperature: 2, seed: 5, response_format: { type: 'json_object' as const }, max_tokens: 60 },
  ]) {
    const { choice, content, tokens } = await askOne(ready, { messages: [FRANCE], ...rest });
    expect(choice).toBeDefined();
    expect(spelled(tokens)).toBe(content);
    expect(content === '').toBe(tokens.length === 0);
    seen += content;
  }
  expect(seen).not.toBe('');
});

test('streamed, each chunk has those of its own text', async ({ ready }) => {
  const chunks = await ready.evaluate(
    async ([model, message]) => {
      const stream = await window.client.chat.completions.create({
        ...{ model, messages: [message], temperature: 0, stream: true },
        ...{ logprobs: true, top_logprobs: 1 },
      });
      const seen: { text: string; tokens: TokenLogprob[] }[] = [];
      for await (const { choices } of stream) {
        const text = choices[0]?.delta.content ?? '';
        if (text !== '') seen.push({ text, tokens: choices[0]?.logprobs?.content ?? [] });
      }
      return seen;
    },
    [TINY, GREETING] as const,
  );
  expect(chunks.length).toBeGreaterThan(3);
  for (const { text, tokens } of chunks) {
    expect(spelled(tokens)).toBe(text);
    // Greedy: each token is the likeliest.
    for (const token of tokens) expect(token.top_logprobs[0]?.token).toBe(token.token);
  }
});

test('under a grammar they are the model’s own, not those of what the grammar leaves', async ({
  ready,
}) => {
  const schema = { const: 'Paris' };
  const { content, tokens } = await askOne(ready, {
    ...{ messages: [GREETING], temperature: 0, reasoning_effort: 'none', top_logprobs: 1 },
    response_format: { type: 'json_schema', json_schema: { name: 'x', schema } },
  });
  expect(content).toBe('"Paris"');
  // It was made to say so: alone, it would say something else, of which it is all but certain.
  expect(tokens[0]?.logprob).toBeLessThan(-1);
  expect(tokens[0]?.top_logprobs[0]?.token).not.toBe(tokens[0]?.token);
  expect(tokens[0]?.top_logprobs[0]?.logprob).toBeGreaterThan(-1);
});

test('a bias changes what is chosen, not how likely the model held it', async ({ ready }) => {
  const base = { messages: [GREETING], temperature: 0, top_logprobs: 2, max_tokens: 1 };
  const plain = await askOne(ready, base);
  const [first] = plain.tokens;
  // The token of ".".
  const biased = await askOne(ready, { ...base, logit_bias: { 22: 100 } });
  expect(biased.content).toBe('.');
  expect(biased.tokens[0]?.top_logprobs).toEqual(first?.top_logprobs);
  expect(biased.tokens[0]?.logprob).toBeLessThan(-1);
});

test('a penalty changes what is chosen, not how likely the model held it', async ({ ready }) => {
  const counting = { role: 'user' as const, content: 'Count to 20.' };
  const base = { messages: [counting], temperature: 0, top_logprobs: 2, max_tokens: 60 };
  const plain = await askOne(ready, base);
  const penalised = await askOne(ready, { ...base, frequency_penalty: 2 });
  // Up to this token, both have read the same.
  const at = penalised.tokens.findIndex(({ token }, index) => token !== plain.tokens[index]?.token);
  expect(at).toBeGreaterThan(0);
  for (const [index, { top_logprobs }] of penalised.tokens.slice(0, at + 1).entries()) {
    expect(top_logprobs).toEqual(plain.tokens[index]?.top_logprobs);
  }
  const [likeliest] = penalised.tokens[at]?.top_logprobs ?? [];
  expect(likeliest?.token).toBe(plain.tokens[at]?.token);
  expect(penalised.tokens[at]?.logprob).toBeLessThan(likeliest?.logprob ?? -Infinity);
});
