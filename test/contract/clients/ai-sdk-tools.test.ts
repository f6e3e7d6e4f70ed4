import { APICallError, generateText, isStepCount, Output, streamText, tool } from 'ai';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { MODEL, openApi } from '../support/api.ts';
import { forbidNetwork } from '../support/forbid-network.ts';
import { aiProvider } from '../support/other-clients.ts';
import { finish, text, toolArguments, toolCall, type Step } from '../support/test-engine.ts';

forbidNetwork();

const CALL: Step[] = [
  toolCall(0, 'get_weather'),
  toolArguments(0, '{"city":'),
  toolArguments(0, ' "Bern"}'),
  finish('tool_calls'),
];
const TWO_CALLS: Step[] = [
  ...CALL.slice(0, -1),
  ...[toolCall(1, 'get_weather'), toolArguments(1, '{"city":"Rome"}'), finish('tool_calls')],
];
const ANSWER: Step[] = [text('It is sunny'), text(' in Bern.'), finish()];

/** An API, and the options of every call: a tool that always says sunny and notes what it was asked. */
async function setUp() {
  const api = await openApi();
  const asked: string[] = [];
  const get_weather = tool({
    description: 'The weather in a city',
    inputSchema: z.object({ city: z.string() }),
    execute: ({ city }) => {
      asked.push(city);
      return { sky: 'sunny' };
    },
  });
  const model = aiProvider(api)(MODEL);
  return { api, asked, call: { model, prompt: 'Weather?', maxRetries: 0, tools: { get_weather } } };
}

describe('the AI SDK', () => {
  test('gets calls, runs them and sends the results, in steps', async () => {
    const { api, asked, call } = await setUp();
    api.engine.next(...TWO_CALLS);
    api.engine.next(...ANSWER);
    const result = await generateText({ ...call, stopWhen: isStepCount(3) });
    expect(result.text).toBe('It is sunny in Bern.');
    expect(result.steps.map(({ finishReason }) => finishReason)).toEqual(['tool-calls', 'stop']);
    expect(asked).toEqual(['Bern', 'Rome']);
    expect(api.engine.last.job.prompt).toMatchObject({
      messages: [
        { role: 'user', content: 'Weather?' },
        { role: 'assistant', toolCalls: [{ id: 'call_0' }, { id: 'call_1' }] },
        { role: 'tool', toolCallId: 'call_0', content: '{"sky":"sunny"}' },
        { role: 'tool', toolCallId: 'call_1', content: '{"sky":"sunny"}' },
      ],
    });
  });

  test('the same, streamed', async () => {
    const { api, asked, call } = await setUp();
    api.engine.next(text('Let me see.'), ...CALL);
    api.engine.next(...ANSWER);
    const result = streamText({ ...call, stopWhen: isStepCount(3) });
    const kinds: string[] = [];
    for await (const { type } of result.stream) if (kinds.at(-1) !== type) kinds.push(type);
    expect(kinds.filter((kind) => /^tool-|^text-delta|^finish/.test(kind))).toEqual([
      ...['text-delta', 'tool-input-start', 'tool-input-delta', 'tool-input-end', 'tool-call'],
      ...['tool-result', 'finish-step', 'text-delta', 'finish-step', 'finish'],
    ]);
    expect(await result.text).toBe('It is sunny in Bern.');
    expect(asked).toEqual(['Bern']);
  });

  test.each([
    ['auto', 'auto'],
    ['none', 'none'],
    ['required', 'required'],
    [{ type: 'tool', toolName: 'get_weather' }, { name: 'get_weather' }],
  ] as const)('toolChoice %j', async (toolChoice, choice) => {
    const { api, call } = await setUp();
    api.engine.next(...(toolChoice === 'none' ? ANSWER : CALL));
    await generateText({ ...call, toolChoice });
    // With "none" it sends no tools.
    const offer = api.engine.last.job.tools ?? { choice: 'none' };
    expect(offer).toMatchObject({ choice });
  });

  test('a call that was cut by the length is not a call', async () => {
    const { api, asked, call } = await setUp();
    api.engine.next(...CALL.slice(0, 2), finish('length'));
    const result = await generateText(call);
    expect(result.finishReason).toBe('length');
    expect(asked).toEqual([]);
  });

  test('tools beside structured output', async () => {
    const { api, call } = await setUp();
    api.engine.next(...CALL);
    api.engine.next(text('{"sky":"sunny"}'), finish());
    const output = Output.object({ schema: z.object({ sky: z.string() }) });
    const result = await generateText({ ...call, output, stopWhen: isStepCount(3) });
    expect(result.output).toEqual({ sky: 'sunny' });
    expect(api.engine.last.job.tools?.tools).toHaveLength(1);
    expect(api.engine.last.job.format).toMatchObject({ schema: { properties: { sky: {} } } });
  });

  test('a schema that cannot be enforced is an APICallError with its path', async () => {
    const { call } = await setUp();
    const inputSchema = z.object({ city: z.string() }).meta({ unevaluatedProperties: false });
    const odd = tool({ inputSchema, strict: true, execute: () => '' });
    const error = await generateText({ ...call, tools: { odd } }).catch((it: unknown) => it);
    expect(error).toSatisfy((it) => APICallError.isInstance(it));
    expect(error).toMatchObject({
      data: {
        error: {
          code: 'invalid_json_schema',
          param: 'tools[0].function.parameters.unevaluatedProperties',
        },
      },
    });
  });
});
