import type { Page } from 'playwright/test';
import { complete, type ChatRequest } from '../support/chat.ts';
import { expect, test, TINY } from '../support/fixtures.ts';
import { LETTERS, user } from '../support/prompts.ts';

async function ask(page: Page, request: ChatRequest) {
  const messages = [user('Tell me a story.')];
  const { choices, usage } = await complete(page, {
    messages,
    max_tokens: 24,
    reasoning_effort: 'none',
    ...request,
  });
  return {
    contents: choices.map(({ message }) => message.content ?? ''),
    indices: choices.map(({ index }) => index),
    usage,
  };
}

test('n answers to one seed differ, and the same seed gives all of them again', async ({
  ready,
}) => {
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

/** The calls in each answer, without their ids, which always differ. */
async function calls(page: Page, request: ChatRequest) {
  const { choices } = await complete(page, {
    messages: [user('What is the weather?')],
    reasoning_effort: 'none',
    max_tokens: 80,
    tools: [WEATHER],
    tool_choice: 'required',
    parallel_tool_calls: false,
    ...request,
  });
  return choices.map(({ message, finish_reason }) => ({
    finish_reason,
    functions: message.tool_calls?.map((call) => 'function' in call && call.function) ?? [],
  }));
}

test('greedy decoding makes the same tool call again', async ({ ready }) => {
  const first = await calls(ready, { temperature: 0 });
  expect(first).toMatchObject([
    { finish_reason: 'tool_calls', functions: [{ name: 'get_weather' }] },
  ]);
  expect(await calls(ready, { temperature: 0 })).toEqual(first);
});

test('n answers make different tool calls, and the same seed gives them again', async ({
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
