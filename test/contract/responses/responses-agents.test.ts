import { Agent, Runner, tool, type AgentInputItem } from '@openai/agents';
import { OpenAIProvider } from '@openai/agents';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { MODEL, openApi } from '../support/api.ts';
import { forbidNetwork } from '../support/forbid-network.ts';
import { finish, text, toolArguments, toolCall, type Step } from '../support/test-engine.ts';

forbidNetwork();

const CALL: Step[] = [
  { type: 'reasoning', text: 'Hm.' },
  ...[toolCall(0, 'get_weather'), toolArguments(0, '{"city":'), toolArguments(0, '"Bern"}')],
  finish('tool_calls'),
];
const ANSWER: Step[] = [text('It is sunny'), text(' in Bern.'), finish()];

const get_weather = tool({
  name: 'get_weather',
  description: 'The weather in a city',
  parameters: z.object({ city: z.string() }),
  execute: ({ city }) => `sunny in ${city}`,
});

async function setUp() {
  const api = await openApi();
  const openAIClient = api.client({ maxRetries: 0 });
  const modelProvider = new OpenAIProvider({ openAIClient, useResponses: true });
  const runner = new Runner({ modelProvider, tracingDisabled: true });
  const agent = new Agent({
    name: 'Assistant',
    instructions: 'Be brief.',
    model: MODEL,
    tools: [get_weather],
  });
  return { api, runner, agent };
}

describe('the OpenAI Agents SDK', () => {
  test('runs an agent with a tool', async () => {
    const { api, runner, agent } = await setUp();
    api.engine.next(...CALL);
    api.engine.next(...ANSWER);
    const result = await runner.run(agent, 'Weather?');
    expect(result.finalOutput).toBe('It is sunny in Bern.');
    expect(api.engine.last.job.prompt).toMatchObject({
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Weather?' },
        { role: 'assistant', reasoning: 'Hm.', toolCalls: [{ name: 'get_weather' }] },
        { role: 'tool', content: 'sunny in Bern' },
      ],
    });
  });

  test('the same, streamed', async () => {
    const { api, runner, agent } = await setUp();
    api.engine.next(...CALL);
    api.engine.next(...ANSWER);
    const result = await runner.run(agent, 'Weather?', { stream: true });
    const pieces = await Array.fromAsync(result.toTextStream());
    await result.completed;
    expect(pieces.join('')).toBe('It is sunny in Bern.');
    expect(result.finalOutput).toBe('It is sunny in Bern.');
  });

  test('goes on with the history, and with the id of the last answer', async () => {
    const { api, runner, agent } = await setUp();
    const first = await runner.run(agent, 'Hi');
    const more: AgentInputItem[] = [...first.history, { role: 'user', content: 'More' }];
    await runner.run(agent, more);
    const messages = [
      { role: 'system' },
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Hello there' },
      { role: 'user', content: 'More' },
    ];
    expect(api.engine.last.job.prompt).toMatchObject({ messages });
    const previousResponseId = first.lastResponseId ?? '';
    await runner.run(agent, 'More', { previousResponseId });
    expect(api.engine.last.job.prompt).toMatchObject({ messages });
  });

  test('gets structured output', async () => {
    const { api, runner } = await setUp();
    api.engine.next(text('{"city":"Bern"}'), finish());
    const outputType = z.object({ city: z.string() });
    const agent = new Agent({ name: 'Assistant', model: MODEL, outputType });
    expect((await runner.run(agent, 'Hi')).finalOutput).toEqual({ city: 'Bern' });
    expect(api.engine.last.job.format).toMatchObject({ schema: { properties: { city: {} } } });
  });
});
