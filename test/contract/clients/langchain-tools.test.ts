import { HumanMessage, ToolMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { ChatOpenAI } from '@langchain/openai';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { openApi } from '../support/api.ts';
import { forbidNetwork } from '../support/forbid-network.ts';
import { langchainFields } from '../support/other-clients.ts';
import { finish, text, toolArguments, toolCall, type Step } from '../support/test-engine.ts';

forbidNetwork();

const City = z.object({ city: z.string() });
const weather = tool(({ city }) => `It is sunny in ${city}.`, {
  name: 'get_weather',
  description: 'The weather in a city',
  schema: City,
});
const CALL: Step[] = [
  toolCall(0, 'get_weather'),
  toolArguments(0, '{"city":'),
  toolArguments(0, ' "Bern"}'),
  finish('tool_calls'),
];

async function setUp() {
  const api = await openApi();
  return { api, model: new ChatOpenAI(langchainFields(api)) };
}

describe('LangChain', () => {
  test('binds tools, runs a call and sends its result', async () => {
    const { api, model } = await setUp();
    api.engine.next(...CALL);
    const bound = model.bindTools([weather]);
    const question = new HumanMessage('Weather?');
    const message = await bound.invoke([question]);
    expect(message.tool_calls).toEqual([
      { type: 'tool_call', id: 'call_0', name: 'get_weather', args: { city: 'Bern' } },
    ]);
    const [call] = message.tool_calls ?? [];
    if (!call) throw new Error('No call.');
    const result: unknown = await weather.invoke({ ...call, type: 'tool_call' });
    if (!ToolMessage.isInstance(result)) throw new Error('No result.');
    api.engine.next(text('It is sunny.'), finish());
    expect((await bound.invoke([question, message, result])).text).toBe('It is sunny.');
    expect(api.engine.last.job.prompt).toMatchObject({
      messages: [
        { role: 'user' },
        { role: 'assistant', toolCalls: [{ id: 'call_0', name: 'get_weather' }] },
        { role: 'tool', toolCallId: 'call_0', content: 'It is sunny in Bern.' },
      ],
    });
  });

  test('streams calls', async () => {
    const { api, model } = await setUp();
    api.engine.next(...CALL);
    const stream = await model.bindTools([weather]).stream('Weather?');
    const chunks = await Array.fromAsync(stream);
    const pieces = chunks.flatMap(({ tool_call_chunks: calls = [] }) => calls);
    expect(pieces[0]).toMatchObject({ index: 0, id: 'call_0', name: 'get_weather' });
    expect(pieces.map(({ args = '' }) => args).join('')).toBe('{"city": "Bern"}');
    const [first, ...rest] = chunks;
    const message = rest.reduce((sum, chunk) => sum?.concat(chunk), first);
    expect(message?.tool_calls).toMatchObject([{ name: 'get_weather', args: { city: 'Bern' } }]);
  });

  test.each([
    ['auto', 'auto'],
    ['none', 'none'],
    ['any', 'required'],
    ['required', 'required'],
    ['get_weather', { name: 'get_weather' }],
  ])('tool_choice %s', async (tool_choice, choice) => {
    const { api, model } = await setUp();
    await model.bindTools([weather], { tool_choice, parallel_tool_calls: false }).invoke('Hi');
    expect(api.engine.last.job.tools).toMatchObject({ choice, parallel: false });
  });

  test('withStructuredOutput by functionCalling', async () => {
    const { api, model } = await setUp();
    api.engine.next(...CALL);
    const structured = model.withStructuredOutput(City, {
      name: 'get_weather',
      method: 'functionCalling',
    });
    expect(await structured.invoke('Weather?')).toEqual({ city: 'Bern' });
    expect(api.engine.last.job.tools).toMatchObject({
      choice: { name: 'get_weather' },
      tools: [{ name: 'get_weather', parameters: { properties: { city: {} } } }],
    });
  });
});
