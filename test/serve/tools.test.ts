import { Anthropic } from '@anthropic-ai/sdk';
import { betaZodTool } from '@anthropic-ai/sdk/helpers/beta/zod';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { HumanMessage } from '@langchain/core/messages';
import { tool as langchainTool } from '@langchain/core/tools';
import { ChatOpenAI } from '@langchain/openai';
import { Agent, OpenAIProvider, Runner, tool as agentTool } from '@openai/agents';
import { generateText, isStepCount, tool as aiTool } from 'ai';
import { OpenAI } from 'openai';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { buildSite } from '../../scripts/build.ts';
import { defaultPacks } from '../../scripts/build/packs.ts';
import { toolRequests, turnOf } from '../contract/tools/tool-turns.ts';
import { tonguePack } from '../unit/support/models/tongue-models.ts';
import { KEY } from './support/asking.ts';
import { startServe } from './support/serve-process.ts';

// A browser starts slowly on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

/** Writes Python calls between control tokens: a form that is far from what clients see. */
const MODEL = 'slashv1/tiny-chat-frames';

const QUESTION = 'What is the weather in Paris?';
const ANSWER = 'The weather in Paris is sunny, 21 degrees.';
const NAME = 'get_weather';
const DESCRIPTION = 'Get the weather of a city';
const SCHEMA = z.object({ city: z.string() });

const asked: string[] = [];

function weather({ city }: z.infer<typeof SCHEMA>): string {
  asked.push(city);
  return '{"temperature": 21, "condition": "sunny"}';
}

let serve: ReturnType<typeof startServe>;
let baseURL: string;
let openai: OpenAI;

beforeAll(async () => {
  await buildSite({ packs: await defaultPacks() });
  serve = startServe(['--key', KEY, '--model', tonguePack('frames')]);
  [, baseURL = ''] = /^ready (\S+) /.exec(await serve.ready()) ?? [];
  openai = new OpenAI({ baseURL, apiKey: KEY });
}, 300_000);

afterAll(async () => {
  serve.kill('SIGTERM');
  await serve.ended;
});

/** Runs a client's loop of calls. */
async function loop(run: () => Promise<unknown>) {
  asked.length = 0;
  return { answer: await run(), asked: [...asked] };
}

const RIGHT = { answer: ANSWER, asked: ['Paris'] };

test.each([true, false])('the openai package runs tools, streamed: %s', async (stream) => {
  const run = { parse: (json: string) => SCHEMA.parse(JSON.parse(json)), function: weather };
  const parameters = {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
  };
  const body = {
    model: MODEL,
    messages: [{ role: 'user' as const, content: QUESTION }],
    tools: [
      {
        type: 'function' as const,
        function: { name: NAME, description: DESCRIPTION, parameters, ...run },
      },
    ],
  };
  const { completions } = openai.chat;
  const runner = stream
    ? () => completions.runTools({ ...body, stream: true }).finalContent()
    : () => completions.runTools(body).finalContent();
  expect(await loop(runner)).toEqual(RIGHT);
});

test('the AI SDK runs tools', async () => {
  const provider = createOpenAICompatible({ name: 'slashv1', baseURL, apiKey: KEY });
  const tools = {
    [NAME]: aiTool({ description: DESCRIPTION, inputSchema: SCHEMA, execute: weather }),
  };
  const call = { model: provider(MODEL), prompt: QUESTION, tools, stopWhen: isStepCount(3) };
  expect(await loop(async () => (await generateText(call)).text)).toEqual(RIGHT);
});

test('LangChain runs tools', async () => {
  const model = new ChatOpenAI({ model: MODEL, apiKey: KEY, configuration: { baseURL } });
  const bound = langchainTool(weather, { name: NAME, description: DESCRIPTION, schema: SCHEMA });
  const runner = async () => {
    const messages = [new HumanMessage(QUESTION)];
    const called = await model.bindTools([bound]).invoke(messages);
    const [call] = called.tool_calls ?? [];
    if (!call) return called.text;
    const result = await bound.invoke({ ...call, type: 'tool_call' });
    return (await model.bindTools([bound]).invoke([...messages, called, result])).text;
  };
  expect(await loop(runner)).toEqual(RIGHT);
});

test('the OpenAI Agents SDK runs tools', async () => {
  const modelProvider = new OpenAIProvider({ openAIClient: openai, useResponses: true });
  const runner = new Runner({ modelProvider, tracingDisabled: true });
  const own = agentTool({
    name: NAME,
    description: DESCRIPTION,
    parameters: SCHEMA,
    execute: async (input) => weather(input),
  });
  const agent = new Agent({ name: 'Assistant', model: MODEL, tools: [own] });
  expect(await loop(async () => (await runner.run(agent, QUESTION)).finalOutput)).toEqual(RIGHT);
});

test('Anthropic’s package runs tools', async () => {
  const client = new Anthropic({ baseURL: baseURL.replace(/\/v1$/, ''), apiKey: KEY });
  const own = betaZodTool({
    name: NAME,
    description: DESCRIPTION,
    inputSchema: SCHEMA,
    run: weather,
  });
  const body = {
    model: MODEL,
    max_tokens: 200,
    messages: [{ role: 'user' as const, content: QUESTION }],
    tools: [own],
  };
  const runner = async () => {
    const { content } = await client.beta.messages.toolRunner(body);
    return content.map((block) => (block.type === 'text' ? block.text : block.type)).join('');
  };
  expect(await loop(runner)).toEqual(RIGHT);
});

test.each(toolRequests().slice(0, 2))(
  'a $name request is answered without marks',
  async (request) => {
    const response = await fetch(baseURL + request.path, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      // Sampled text may have any characters of a mark.
      body: JSON.stringify({ ...request.body, model: MODEL, temperature: 0 }),
    });
    expect(response.status).toBe(200);
    const { thought, text, calls } = await turnOf(request, response);
    expect(text !== '' || calls.length > 0).toBe(true);
    expect(thought + text).not.toMatch(/<\|\w+\|>/);
  },
);
