import type OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { MODEL, openApi } from '../support/api.ts';
import { finish, text, toolArguments, toolCall, type Step } from '../support/test-engine.ts';

const WEATHER = {
  type: 'function' as const,
  function: {
    name: 'get_weather',
    description: 'The weather in a city',
    parameters: {
      type: 'object' as const,
      properties: { city: { type: 'string' } },
      required: ['city'],
      additionalProperties: false,
    },
  },
};

const CHAT = {
  model: MODEL,
  messages: [{ role: 'user' as const, content: 'Weather in Bern?' }],
  tools: [WEATHER],
} satisfies OpenAI.ChatCompletionCreateParamsNonStreaming;

const CALLS: Step[] = [
  toolCall(0, 'get_weather'),
  toolArguments(0, '{"city":'),
  toolArguments(0, ' "Bern"}'),
  finish('tool_calls'),
];

const ANSWER: Step[] = [text('It is sunny'), text(' in Bern.'), finish()];

describe('the openai package', () => {
  test('gets calls from an answer', async () => {
    const api = await openApi();
    api.engine.next(...CALLS);
    const { choices } = await api.client().chat.completions.create(CHAT);
    expect(choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: {
        content: null,
        tool_calls: [{ id: 'call_0', function: { arguments: '{"city": "Bern"}' } }],
      },
    });
  });

  test('gets calls from a stream', async () => {
    const api = await openApi();
    api.engine.next(...CALLS);
    const stream = await api.client().chat.completions.create({ ...CHAT, stream: true });
    let json = '';
    const names: string[] = [];
    const reasons: string[] = [];
    for await (const { choices } of stream) {
      const [call] = choices[0]?.delta.tool_calls ?? [];
      if (call?.function?.name) names.push(call.function.name);
      json += call?.function?.arguments ?? '';
      if (choices[0]?.finish_reason) reasons.push(choices[0].finish_reason);
    }
    expect([names, reasons]).toEqual([['get_weather'], ['tool_calls']]);
    expect(JSON.parse(json)).toEqual({ city: 'Bern' });
  });

  test('follows a call through its stream helper, which checks every chunk', async () => {
    const api = await openApi();
    api.engine.next(...CALLS);
    const runner = api.client().chat.completions.stream(CHAT);
    const deltas: string[] = [];
    const done: string[] = [];
    runner.on('tool_calls.function.arguments.delta', (event) => deltas.push(event.arguments_delta));
    runner.on('tool_calls.function.arguments.done', (event) => done.push(event.arguments));
    const message = await runner.finalMessage();
    expect(deltas.join('')).toBe('{"city": "Bern"}');
    expect(done).toEqual(['{"city": "Bern"}']);
    expect(message.tool_calls).toMatchObject([{ id: 'call_0', function: { name: 'get_weather' } }]);
  });

  test.each([false, true])('runs tools and sends their results (streamed: %s)', async (stream) => {
    const api = await openApi();
    api.engine.next(...CALLS);
    api.engine.next(...ANSWER);
    const asked: unknown[] = [];
    const runnable = {
      ...WEATHER,
      function: {
        ...WEATHER.function,
        parse: (json: string): unknown => JSON.parse(json),
        function: (args: unknown) => {
          asked.push(args);
          return 'sunny';
        },
      },
    };
    const params = { ...CHAT, tools: [runnable] };
    const { completions } = api.client().chat;
    const runner = stream
      ? completions.runTools({ ...params, stream })
      : completions.runTools({ ...params, stream });
    expect(await runner.finalContent()).toBe('It is sunny in Bern.');
    expect(asked).toEqual([{ city: 'Bern' }]);
    expect(api.engine.last.job.prompt).toMatchObject({
      messages: [
        { role: 'user' },
        { role: 'assistant', toolCalls: [{ id: 'call_0', arguments: '{"city": "Bern"}' }] },
        { role: 'tool', toolCallId: 'call_0', content: 'sunny' },
      ],
    });
  });

  test('refuses a tool_choice that is not among the tools as a BadRequestError', async () => {
    const choice = { type: 'function' as const, function: { name: 'get_time' } };
    const { completions } = (await openApi()).client().chat;
    await expect(completions.create({ ...CHAT, tool_choice: choice })).rejects.toMatchObject({
      status: 400,
      param: 'tool_choice.function.name',
    });
  });
});
