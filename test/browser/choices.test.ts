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

const WEATHER = {
  type: 'function' as const,
  function: {
    name: 'get_weather',
    parameters: {
      type: 'object',
      properties: { city: { type: 'string', pattern: '^[a-z]{16}$' } },
      required: ['city'],
      additionalProperties: false,
    },
  },
};

/** What is called in each answer; ids aside, which are never the same. */
function calls(page: Page, request: Request) {
  return page.evaluate(
    async ([model, tool, body]) => {
      const messages = [{ role: 'user' as const, content: 'What is the weather?' }];
      const base = { model, messages, tools: [tool], reasoning_effort: 'none' as const };
      const { choices } = await window.client.chat.completions.create({
        ...base,
        ...{ tool_choice: 'required', parallel_tool_calls: false, max_tokens: 80 },
        ...body,
        stream: false,
      });
      return choices.map(({ message, finish_reason }) => ({
        finish_reason,
        functions: message.tool_calls?.map((call) => 'function' in call && call.function) ?? [],
      }));
    },
    [TINY, WEATHER, request] as const,
  );
}

test('greedy decoding through tools equals itself', async ({ ready }) => {
  const first = await calls(ready, { temperature: 0 });
  expect(first).toMatchObject([
    { finish_reason: 'tool_calls', functions: [{ name: 'get_weather' }] },
  ]);
  expect(await calls(ready, { temperature: 0 })).toEqual(first);
});

test('n answers call tools, each of them its own, and one seed gives the same', async ({
  ready,
}) => {
  const request = { n: 2, temperature: 2, seed: 1 };
  const [first, second] = await calls(ready, request);
  for (const answer of [first, second]) {
    expect(answer?.finish_reason).toBe('tool_calls');
    expect(answer?.functions).toMatchObject([
      { name: 'get_weather', arguments: expect.stringMatching(/^\{"city": ?"[a-z]{16}"\}$/) },
    ]);
  }
  expect(first).not.toEqual(second);
  expect(await calls(ready, request)).toEqual([first, second]);
});
