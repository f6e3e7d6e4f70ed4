import type OpenAI from 'openai';
import type { Page } from 'playwright/test';
import { expect, test, TINY } from './support/fixtures.ts';

type Request = Omit<OpenAI.ChatCompletionCreateParamsNonStreaming, 'model' | 'messages'>;

function ask(page: Page, request: Request) {
  return page.evaluate(
    async ([model, body]) => {
      const messages = [{ role: 'user' as const, content: 'Tell me a story.' }];
      const base = { model, messages, max_tokens: 24, reasoning_effort: 'none' as const };
      const { choices, usage } = await window.client.chat.completions.create({ ...base, ...body });
      return {
        contents: choices.map(({ message }) => message.content ?? ''),
        indices: choices.map(({ index }) => index),
        usage,
      };
    },
    [TINY, request] as const,
  );
}

/** Letters of which the model has nothing to say: hardly one is likelier than another. */
const LETTERS = {
  type: 'json_schema' as const,
  json_schema: { name: 'x', schema: { type: 'string', pattern: '^[a-z]{16}$' } },
};

test('n answers to one seed differ, and are the same again', async ({ ready }) => {
  const request = { n: 3, temperature: 2, seed: 1, max_tokens: 30, response_format: LETTERS };
  const { contents, indices, usage } = await ask(ready, request);
  expect(indices).toEqual([0, 1, 2]);
  expect(new Set(contents).size).toBe(3);
  expect((await ask(ready, request)).contents).toEqual(contents);
  for (const content of contents) expect(content).toMatch(/^"[a-z]{16}"$/);
  const one = await ask(ready, { ...request, n: 1 });
  expect(one.contents).toEqual(contents.slice(0, 1));
  expect(usage?.prompt_tokens).toBe(one.usage?.prompt_tokens);
  expect(usage?.completion_tokens).toBeGreaterThan(one.usage?.completion_tokens ?? 0);
});

test('the text endpoint gives n answers too', async ({ ready }) => {
  const choices = await ready.evaluate(async (model) => {
    const request = { model, prompt: 'Once upon', n: 2, temperature: 2, seed: 1, max_tokens: 12 };
    return (await window.client.completions.create(request)).choices;
  }, TINY);
  expect(choices.map(({ index }) => index)).toEqual([0, 1]);
  for (const { text } of choices) expect(text).not.toBe('');
});
