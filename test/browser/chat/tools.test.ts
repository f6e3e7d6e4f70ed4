import type OpenAI from 'openai';
import { askWithTools as ask, chunksOf, type ToolAnswer } from '../support/chat.ts';
import { expect, SMOLLM2, test, TINY } from '../support/fixtures.ts';
import { user } from '../support/prompts.ts';

type Message = OpenAI.ChatCompletionMessageParam;

const WEATHER = {
  type: 'function' as const,
  function: {
    name: 'get_weather',
    description: 'Get the weather of a city',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
};
const ADD = {
  type: 'function' as const,
  function: {
    name: 'add',
    description: 'Add two numbers',
    parameters: {
      type: 'object',
      properties: { a: { type: 'integer' }, b: { type: 'integer' } },
      required: ['a', 'b'],
    },
  },
};
const PARIS = user('What is the weather in Paris?');
const HELLO = user('Hello!');

function names({ calls }: ToolAnswer): string[] {
  return calls.map((call) => call.function.name);
}

function argumentsOf({ calls }: ToolAnswer): unknown[] {
  return calls.map((call) => JSON.parse(call.function.arguments) as unknown);
}

test('after a call and its result, only the new part of the prompt is prefilled', async ({
  ready,
}) => {
  const tools = [WEATHER];
  const first = await ask(ready, { messages: [PARIS], tools });
  expect(first).toMatchObject({ content: null, reason: 'tool_calls' });
  expect(first.calls[0]?.id).toMatch(/^call_[0-9A-Za-z]{24}$/);
  const messages: Message[] = [
    PARIS,
    { role: 'assistant', content: null, tool_calls: first.calls },
    {
      role: 'tool',
      tool_call_id: first.calls[0]?.id ?? '',
      content: '{"temperature": 21, "condition": "sunny"}',
    },
  ];
  const second = await ask(ready, { messages, tools });
  expect(second).toMatchObject({
    content: 'The weather in Paris is sunny, 21 degrees.',
    reason: 'stop',
    calls: [],
  });
  const held = (first.usage?.prompt_tokens ?? 0) + (first.usage?.completion_tokens ?? 0) - 1;
  expect(second.usage?.prompt_tokens_details?.cached_tokens).toBe(held);
  expect(second.usage?.prompt_tokens).toBeGreaterThan(held);
});

test('in a stream, a call comes with its name first and then its arguments in pieces', async ({
  ready,
}) => {
  const request = { messages: [PARIS], tools: [WEATHER], temperature: 0 };
  const chunks = await chunksOf(ready, request);
  const deltas = chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta));
  const whole = await ready.evaluate(
    (body) => window.client.chat.completions.stream(body).finalMessage(),
    { model: TINY, ...request },
  );
  const calls = deltas.flatMap((delta) => delta.tool_calls ?? []);
  expect(calls[0]).toMatchObject({
    index: 0,
    type: 'function',
    function: { name: 'get_weather', arguments: '' },
  });
  expect(calls.length).toBeGreaterThan(3);
  for (const piece of calls.slice(1)) expect(Object.keys(piece)).toEqual(['index', 'function']);
  expect(whole.tool_calls).toMatchObject([{ function: { arguments: '{"city": "Paris"}' } }]);
  expect(whole.content).toBeFalsy();
});

test('runTools of the openai package calls the page’s function and answers with its result', async ({
  ready,
}) => {
  const { content, asked } = await ready.evaluate(
    async ([model, weather, message]) => {
      const args: unknown[] = [];
      const run = {
        parse: (json: string): unknown => JSON.parse(json),
        function: (value: unknown) => {
          args.push(value);
          return '{"temperature": 21, "condition": "sunny"}';
        },
      };
      const runner = window.client.chat.completions.runTools({
        model,
        messages: [message],
        temperature: 0,
        stream: true,
        tools: [{ type: 'function', function: { ...weather.function, ...run } }],
      });
      return { content: await runner.finalContent(), asked: args };
    },
    [TINY, WEATHER, PARIS] as const,
  );
  expect(asked).toEqual([{ city: 'Paris' }]);
  expect(content).toBe('The weather in Paris is sunny, 21 degrees.');
});

test('with tool_choice required, even a greeting is answered with a call', async ({ ready }) => {
  for (const seed of [1, 2, 3]) {
    const answer = await ask(ready, {
      messages: [HELLO],
      tools: [WEATHER, ADD],
      tool_choice: 'required',
      temperature: 0.5,
      seed,
      parallel_tool_calls: false,
    });
    expect(answer).toMatchObject({ content: null, reason: 'tool_calls' });
    expect(['get_weather', 'add']).toContain(names(answer)[0]);
    expect(answer.calls).toHaveLength(1);
    const [args] = argumentsOf(answer);
    const keys = names(answer)[0] === 'add' ? ['a', 'b'] : ['city'];
    expect(Object.keys(args ?? {})).toEqual(keys);
  }
});

test('a named tool is called once, although another one fits better', async ({ ready }) => {
  const answer = await ask(ready, {
    messages: [PARIS],
    tools: [WEATHER, ADD],
    tool_choice: { type: 'function', function: { name: 'add' } },
  });
  expect(names(answer)).toEqual(['add']);
  expect(answer.reason).toBe('tool_calls');
  expect(argumentsOf(answer)).toEqual([{ a: expect.any(Number), b: expect.any(Number) }]);
});

test('an answer can have several calls, or only one with parallel_tool_calls false', async ({
  ready,
}) => {
  const messages = [user('What is the weather in Turin and Bergen?')];
  const both = await ask(ready, { messages, tools: [WEATHER] });
  expect(argumentsOf(both)).toEqual([{ city: 'Turin' }, { city: 'Bergen' }]);
  const one = await ask(ready, { messages, tools: [WEATHER], parallel_tool_calls: false });
  expect(argumentsOf(one)).toEqual([{ city: 'Turin' }]);
  expect(one.reason).toBe('tool_calls');
});

test('with tool_choice none, the answer is text without a call', async ({ ready }) => {
  const answer = await ask(ready, { messages: [PARIS], tools: [WEATHER], tool_choice: 'none' });
  expect(answer).toMatchObject({ reason: 'stop', calls: [] });
  expect(answer.content).not.toContain('<tool_call>');
});

test('greedy decoding makes the same calls again', async ({ ready }) => {
  const request = { messages: [HELLO], tools: [WEATHER, ADD], tool_choice: 'required' as const };
  const first = await ask(ready, request);
  const again = await ask(ready, request);
  expect(first.calls.length).toBeGreaterThan(0);
  expect(again.calls.map((call) => call.function)).toEqual(
    first.calls.map((call) => call.function),
  );
});

test('arguments are valid under their schema', async ({ ready }) => {
  const parameters = {
    type: 'object',
    properties: {
      city: { enum: ['Bern', 'Basel'] },
      days: { type: 'integer', minimum: 1, maximum: 3 },
    },
    required: ['city', 'days'],
    additionalProperties: false,
  };
  const tool = { type: 'function' as const, function: { ...WEATHER.function, parameters } };
  const answer = await ask(ready, { messages: [PARIS], tools: [tool], tool_choice: 'required' });
  expect(answer.calls.length).toBeGreaterThan(0);
  for (const args of argumentsOf(answer)) {
    const { city, days, ...others } = args as { city: string; days: number };
    expect(['Bern', 'Basel']).toContain(city);
    expect([1, 2, 3]).toContain(days);
    expect(others).toEqual({});
  }
});

test('a call that max_tokens cuts has finish_reason length', async ({ ready }) => {
  const answer = await ask(ready, {
    messages: [PARIS],
    tools: [WEATHER],
    tool_choice: 'required',
    max_tokens: 18,
  });
  expect(answer.reason).toBe('length');
});

test('with tools and a response_format, the answer is calls or JSON', async ({ ready }) => {
  const response_format = { type: 'json_object' as const };
  const call = await ask(ready, { messages: [PARIS], tools: [WEATHER], response_format });
  expect(names(call)).toEqual(['get_weather']);
  const text = await ask(ready, { messages: [HELLO], tools: [WEATHER], response_format });
  expect(text.content).toMatch(/^\{/);
});

test(
  'a model whose template has no tools calls them by a general prompt',
  { tag: '@llamacpp' },
  async ({ ready }) => {
    test.setTimeout(300_000);
    const tools = [WEATHER];
    const request = { messages: [PARIS], tools, tool_choice: 'required' as const, max_tokens: 60 };
    const asked = { ...request, parallel_tool_calls: false };
    const first = await ask(ready, { ...asked, model: SMOLLM2 });
    expect(names(first)).toEqual(['get_weather']);
    expect(argumentsOf(first)).toEqual([{ city: expect.stringMatching(/Paris/i) }]);
    expect(first).toMatchObject({ content: null, reason: 'tool_calls' });
    const messages: Message[] = [
      PARIS,
      { role: 'assistant', content: null, tool_calls: first.calls },
      { role: 'tool', tool_call_id: first.calls[0]?.id ?? '', content: 'sunny, 21 degrees' },
    ];
    const second = await ask(ready, { messages, tools, max_tokens: 4, model: SMOLLM2 });
    const held = (first.usage?.prompt_tokens ?? 0) + (first.usage?.completion_tokens ?? 0) - 1;
    expect(second.usage?.prompt_tokens_details?.cached_tokens).toBe(held);
  },
);
