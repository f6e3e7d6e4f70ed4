import { createOpenAI } from '@ai-sdk/openai';
import { ChatOpenAI } from '@langchain/openai';
import { Agent, hostedMcpTool, OpenAIProvider, Runner } from '@openai/agents';
import { generateText, streamText } from 'ai';
import { describe, expect, test } from 'vitest';
import { MODEL, ORIGIN } from '../support/api.ts';
import { browserFetch } from '../support/browser-fetch.ts';
import { calling, messagesOf, serving } from './mcp-api.ts';
import { json } from '../support/read.ts';
import { hasSharedFixtures, recordings } from '../support/shared-fixtures.ts';
import { finish, text } from '../support/test-engine.ts';

// The SDK also returns its warnings in its results.
globalThis.AI_SDK_LOG_WARNINGS = false;

const SAYING = [text('Sunny.'), finish()];
const OSLO = { city: 'Oslo' };
const RESULT = '{"temperature": 21, "condition": "sunny"}';

test('the openai package streams an answer with its helper', async () => {
  const { api, client, tool } = await serving();
  api.engine.next(...calling('get_weather', OSLO));
  api.engine.next(...SAYING);
  const stream = client.responses.stream({ model: MODEL, input: 'Oslo?', tools: [tool] });
  const seen: string[] = [];
  stream.on('response.mcp_call.completed', ({ type }) => seen.push(type));
  const response = await stream.finalResponse();
  expect(seen).toHaveLength(1);
  expect(response.output_text).toBe('Sunny.');
  expect(response.output[1]).toMatchObject({ type: 'mcp_call', output: RESULT });
});

describe('the AI SDK', () => {
  async function setUp(requireApproval: 'never' | 'always') {
    const given = await serving();
    const openai = createOpenAI({
      baseURL: `${ORIGIN}/v1`,
      apiKey: given.key,
      fetch: browserFetch(given.api.app),
    });
    const mcp = openai.tools.mcp({
      serverLabel: 'weather',
      serverUrl: given.server.url,
      requireApproval,
    });
    return { ...given, call: { model: openai(MODEL), maxRetries: 0, tools: { mcp } } };
  }

  test('gets an answer, whole and streamed', async () => {
    const { api, call } = await setUp('never');
    api.engine.next(...calling('get_weather', OSLO));
    api.engine.next(...SAYING);
    const whole = await generateText({ ...call, prompt: 'Oslo?' });
    expect(whole.text).toBe('Sunny.');
    expect(whole.toolResults).toMatchObject([
      { toolName: 'mcp.get_weather', output: { output: RESULT } },
    ]);
    api.engine.next(...calling('get_weather', OSLO));
    api.engine.next(...SAYING);
    const streamed = streamText({ ...call, prompt: 'Oslo?' });
    expect(await streamed.text).toBe('Sunny.');
    expect(await streamed.toolResults).toMatchObject([{ toolName: 'mcp.get_weather' }]);
  });

  test('asks for approval, and goes on with a reference to the request', async () => {
    const { api, call, server } = await setUp('always');
    api.engine.next(...calling('send_mail', { to: 'Ann' }));
    const first = await generateText({ ...call, prompt: 'Write.' });
    const request = first.content.find((part) => part.type === 'tool-approval-request');
    expect(request).toBeDefined();
    api.engine.next(...SAYING);
    const second = await generateText({
      ...call,
      messages: [
        { role: 'user', content: 'Write.' },
        ...first.response.messages,
        {
          role: 'tool',
          content: [
            {
              type: 'tool-approval-response',
              approvalId: request?.approvalId ?? '',
              approved: true,
              providerExecuted: true,
            },
          ],
        },
      ],
    });
    expect(second.text).toBe('Sunny.');
    expect(server.calls).toEqual([{ name: 'send_mail', arguments: { to: 'Ann' } }]);
  });
});

describe('the OpenAI Agents SDK', () => {
  async function setUp(approval: Partial<Parameters<typeof hostedMcpTool>[0]> = {}) {
    const given = await serving();
    const modelProvider = new OpenAIProvider({ openAIClient: given.client, useResponses: true });
    const runner = new Runner({ modelProvider, tracingDisabled: true });
    const hosted = hostedMcpTool({
      serverLabel: 'weather',
      serverUrl: given.server.url,
      ...approval,
    } as Parameters<typeof hostedMcpTool>[0]);
    return { ...given, runner, agent: new Agent({ name: 'A', model: MODEL, tools: [hosted] }) };
  }

  test('calls a server, and goes on with its history', async () => {
    const { runner, agent, ...given } = await setUp();
    given.api.engine.next(...calling('get_weather', OSLO));
    given.api.engine.next(...SAYING);
    const first = await runner.run(agent, 'Oslo?');
    expect(first.finalOutput).toBe('Sunny.');
    await runner.run(agent, [...first.history, { role: 'user', content: 'And now?' }]);
    const roles = ['user', 'assistant', 'tool', 'assistant', 'user'];
    expect(messagesOf(given).map(({ role }) => role)).toEqual(roles);
    expect(messagesOf(given)[2]?.content).toBe(RESULT);
  });

  test('streams', async () => {
    const { runner, agent, ...given } = await setUp();
    given.api.engine.next(...calling('get_weather', OSLO));
    given.api.engine.next(...SAYING);
    const result = await runner.run(agent, 'Oslo?', { stream: true });
    const pieces = await Array.fromAsync(result.toTextStream());
    await result.completed;
    expect(pieces.join('')).toBe('Sunny.');
  });

  test('asks for approval, and goes on once it is given', async () => {
    const { runner, agent, ...given } = await setUp({ requireApproval: 'always' });
    given.api.engine.next(...calling('send_mail', { to: 'Ann' }));
    const first = await runner.run(agent, 'Write.');
    const [interruption] = first.interruptions;
    if (!interruption) throw new Error('It asks for no approval.');
    expect(given.server.calls).toEqual([]);
    first.state.approve(interruption);
    given.api.engine.next(...SAYING);
    const second = await runner.run(agent, first.state);
    expect(second.finalOutput).toBe('Sunny.');
    expect(given.server.calls).toEqual([{ name: 'send_mail', arguments: { to: 'Ann' } }]);
  });
});

test('LangChain gets an answer, whole and streamed', async () => {
  const { api, key, tool } = await serving();
  const model = new ChatOpenAI({
    model: MODEL,
    apiKey: key,
    useResponsesApi: true,
    configuration: { baseURL: `${ORIGIN}/v1`, fetch: browserFetch(api.app) },
  }).bindTools([tool]);
  api.engine.next(...calling('get_weather', OSLO));
  api.engine.next(...SAYING);
  expect((await model.invoke('Oslo?')).text).toBe('Sunny.');
  api.engine.next(...calling('get_weather', OSLO));
  api.engine.next(...SAYING);
  const chunks = await Array.fromAsync(await model.stream('Oslo?'));
  expect(chunks.map((chunk) => chunk.text).join('')).toBe('Sunny.');
});

/** Recorded requests that begin with a server. */
const recorded = recordings().flatMap((recording) => {
  const [first] = recording.requests;
  const isOfServer = JSON.stringify(first?.body ?? {}).includes('"type":"mcp"');
  return first && isOfServer ? [{ name: `${recording.client} ${recording.case}`, ...first }] : [];
});

describe.skipIf(!hasSharedFixtures)('requests recorded from real clients', () => {
  test('are there', () => expect(recorded.length).toBeGreaterThanOrEqual(4));

  test.each(recorded)('$name', async ({ body }) => {
    const { api, post, server } = await serving({
      tools: (made) =>
        void made.registerTool('ask', { annotations: { readOnlyHint: true } }, () => ({
          content: [{ type: 'text', text: 'It is.' }],
        })),
    });
    const here = JSON.stringify(body).replaceAll('https://mcp.example/mcp', server.url);
    api.engine.next(...calling('ask', {}));
    const response = await post('/responses', { ...JSON.parse(here), model: MODEL });
    expect(response.status).toBe(200);
    const needsApproval = here.includes('"always"');
    const answer = await (body?.stream ? response.text() : json<object>(response));
    const type = needsApproval ? 'mcp_approval_request' : 'mcp_call';
    expect(JSON.stringify(answer)).toContain(type);
    expect(server.calls).toHaveLength(needsApproval ? 0 : 1);
  });
});
