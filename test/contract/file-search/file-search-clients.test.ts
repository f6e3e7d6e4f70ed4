import { createOpenAI } from '@ai-sdk/openai';
import { ChatOpenAI } from '@langchain/openai';
import { Agent, fileSearchTool, OpenAIProvider, Runner } from '@openai/agents';
import { generateText, streamText } from 'ai';
import { describe, expect, test } from 'vitest';
import { MODEL, ORIGIN } from '../support/api.ts';
import { browserFetch } from '../support/browser-fetch.ts';
import { CITING, messagesOf, shop } from './file-search-api.ts';
import { forbidNetwork } from '../support/forbid-network.ts';
import { eventsOf, json } from '../support/read.ts';
import { hasSharedFixtures, recordings } from '../support/shared-fixtures.ts';

forbidNetwork();
// The SDK also returns its warnings in its results.
globalThis.AI_SDK_LOG_WARNINGS = false;

const QUESTION = 'When are refunds paid?';

describe('the openai package', () => {
  test('streams an answer from files with its helper', async () => {
    const given = await shop();
    given.api.engine.next(...CITING);
    const stream = given.client.responses.stream({
      model: MODEL,
      input: QUESTION,
      tools: [given.search],
      include: ['file_search_call.results'],
    });
    const seen: string[] = [];
    stream.on('response.file_search_call.completed', ({ type }) => seen.push(type));
    const response = await stream.finalResponse();
    expect(seen).toHaveLength(1);
    expect(response.output_text).toBe('They take five days.');
    const [call, message] = response.output;
    expect(call).toMatchObject({ results: [{ file_id: given.refunds }] });
    expect(message).toMatchObject({ content: [{ annotations: [{ file_id: given.refunds }] }] });
  });
});

describe('the AI SDK', () => {
  async function setUp() {
    const given = await shop();
    const apiKey = given.headers.authorization.replace('Bearer ', '');
    const openai = createOpenAI({
      baseURL: `${ORIGIN}/v1`,
      apiKey,
      fetch: browserFetch(given.api.app),
    });
    const tools = { file_search: openai.tools.fileSearch({ vectorStoreIds: [given.id] }) };
    return { ...given, call: { model: openai(MODEL), maxRetries: 0, tools } };
  }

  test('answers from files, and goes on with references', async () => {
    const given = await setUp();
    given.api.engine.next(...CITING);
    const first = await generateText({ ...given.call, prompt: QUESTION });
    expect(first.text).toBe('They take five days.');
    expect(first.sources).toMatchObject([{ sourceType: 'document', filename: 'a.txt' }]);
    expect(first.toolResults).toMatchObject([{ toolName: 'file_search' }]);
    const second = await generateText({
      ...given.call,
      messages: [
        { role: 'user', content: QUESTION },
        ...first.response.messages,
        { role: 'user', content: 'And after?' },
      ],
    });
    expect(second.text).toBe('Hello there');
    const roles = ['user', 'assistant', 'user', 'assistant', 'tool'];
    expect(messagesOf(given).map(({ role }) => role)).toEqual(roles);
  });

  test('streams an answer from files with its sources', async () => {
    const given = await setUp();
    given.api.engine.next(...CITING);
    const result = streamText({ ...given.call, prompt: QUESTION });
    expect(await result.text).toBe('They take five days.');
    expect(await result.sources).toMatchObject([{ sourceType: 'document', filename: 'a.txt' }]);
  });
});

describe('the OpenAI Agents SDK', () => {
  async function setUp() {
    const given = await shop();
    const modelProvider = new OpenAIProvider({ openAIClient: given.client, useResponses: true });
    const runner = new Runner({ modelProvider, tracingDisabled: true });
    const tools = [fileSearchTool([given.id], { includeSearchResults: true })];
    return { ...given, runner, agent: new Agent({ name: 'Assistant', model: MODEL, tools }) };
  }

  test('answers from files, and goes on with its history', async () => {
    const { runner, agent, ...given } = await setUp();
    given.api.engine.next(...CITING);
    const first = await runner.run(agent, QUESTION);
    expect(first.finalOutput).toBe('They take five days.');
    expect(first.newItems.map(({ type }) => type)).toEqual([
      'tool_call_item',
      'message_output_item',
    ]);
    await runner.run(agent, [...first.history, { role: 'user', content: 'opens at nine' }]);
    const roles = ['user', 'assistant', 'tool', 'assistant', 'user', 'assistant', 'tool'];
    expect(messagesOf(given).map(({ role }) => role)).toEqual(roles);
  });

  test('streams', async () => {
    const { runner, agent, ...given } = await setUp();
    given.api.engine.next(...CITING);
    const result = await runner.run(agent, QUESTION, { stream: true });
    const pieces = await Array.fromAsync(result.toTextStream());
    await result.completed;
    expect(pieces.join('')).toBe('They take five days.');
  });
});

test('LangChain answers from files, streamed and whole', async () => {
  const given = await shop();
  const model = new ChatOpenAI({
    model: MODEL,
    apiKey: given.headers.authorization.replace('Bearer ', ''),
    configuration: { baseURL: `${ORIGIN}/v1`, fetch: browserFetch(given.api.app) },
    useResponsesApi: true,
    maxRetries: 0,
  }).bindTools([given.search]);
  given.api.engine.next(...CITING);
  expect((await model.invoke(QUESTION)).text).toBe('They take five days.');
  given.api.engine.next(...CITING);
  const pieces = await Array.fromAsync(await model.stream(QUESTION));
  expect(pieces.map((piece) => piece.text).join('')).toBe('They take five days.');
});

const about = /"type": ?"file_search"/;
const cases = recordings().flatMap(({ client, case: name, requests }) =>
  about.test(JSON.stringify(requests)) ? [[`${client} ${name}`, requests] as const] : [],
);

describe.skipIf(!hasSharedFixtures)(
  'requests recorded from clients, with the ids of this server',
  () => {
    test('are there', () => expect(cases.length).toBeGreaterThan(5));

    test.each(cases)('%s', async (_, requests) => {
      const given = await shop();
      const { api, headers, id } = given;
      const names = new Map([['vs_1', id]]);
      for (const { body } of requests) {
        const known = JSON.stringify({ ...body, model: MODEL }).replaceAll(
          /\b(vs|fs|msg)_1\b/g,
          (name) => names.get(name) ?? name,
        );
        const response = await api.post('/responses', known, {
          headers: { ...headers, 'content-type': 'application/json' },
        });
        expect(response.status).toBe(200);
        if (body?.stream === true) {
          expect((await eventsOf(response)).at(-1)?.type).toBe('response.completed');
          continue;
        }
        const { output } = await json<{ output: { id: string; type: string }[] }>(response);
        expect(output.map(({ type }) => type)).toEqual(['file_search_call', 'message']);
        names.set('fs_1', output[0]?.id ?? '').set('msg_1', output[1]?.id ?? '');
      }
    });
  },
);
