import {
  type Anthropic,
  APIError,
  AuthenticationError,
  BadRequestError,
  NotFoundError,
} from '@anthropic-ai/sdk';
import { zodOutputFormat } from '@anthropic-ai/sdk/helpers/zod';
import { betaZodTool } from '@anthropic-ai/sdk/helpers/beta/zod';
import { describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { rateLimited, serverError } from '../../../src/core/errors/errors.ts';
import {
  EMBEDDER,
  HUB_MODEL,
  MODEL,
  openApi,
  RANKER,
  RECOGNISER,
  SPEECH_MODEL,
} from '../support/api.ts';
import { forbidNetwork } from '../support/forbid-network.ts';
import { anthropic, CALL } from './messages-clients.ts';
import { finish, HANG, text } from '../support/test-engine.ts';

forbidNetwork();

const TURN = {
  model: MODEL,
  max_tokens: 50,
  messages: [{ role: 'user' as const, content: 'Hi' }],
} satisfies Anthropic.MessageCreateParamsNonStreaming;
const TOOLS: Anthropic.Tool[] = [
  {
    name: 'get_weather',
    input_schema: { type: 'object', properties: { city: { type: 'string' } } },
  },
];

async function setUp() {
  const api = await openApi();
  return { api, client: anthropic(api) };
}

describe('Anthropic’s package', () => {
  test('creates a message', async () => {
    const { client } = await setUp();
    const message = await client.messages.create({ ...TURN, system: 'Be brief.' });
    expect(message.content).toMatchObject([{ type: 'text', text: 'Hello there' }]);
    expect(message.stop_reason).toBe('end_turn');
    expect(message.usage).toMatchObject({ input_tokens: 5, output_tokens: 3 });
    expect(message._request_id).toMatch(/^req_/);
  });

  test('streams events, and through its helper', async () => {
    const { api, client } = await setUp();
    api.engine.always({ type: 'reasoning', text: 'Hm.' }, text('Hello'), text(' there'), finish());
    const stream = await client.messages.create({ ...TURN, stream: true });
    const events = await Array.fromAsync(stream);
    expect(events.at(-1)?.type).toBe('message_stop');
    const pieces: string[] = [];
    const helper = client.messages.stream(TURN).on('text', (piece) => pieces.push(piece));
    const message = await helper.finalMessage();
    expect(pieces).toEqual(['Hello', ' there']);
    expect(message.content).toMatchObject([
      { type: 'thinking', thinking: 'Hm.', signature: expect.stringMatching(/./) },
      { type: 'text', text: 'Hello there' },
    ]);
    expect(message.usage).toMatchObject({ input_tokens: 5, output_tokens: 3 });
  });

  test('streams calls', async () => {
    const { api, client } = await setUp();
    api.engine.next(...CALL);
    const message = await client.messages.stream({ ...TURN, tools: TOOLS }).finalMessage();
    expect(message.stop_reason).toBe('tool_use');
    expect(message.content[1]).toMatchObject({ name: 'get_weather', input: { city: 'Bern' } });
  });

  test('parses structured output', async () => {
    const { api, client } = await setUp();
    api.engine.next(text('{"city":"Bern"}'), finish());
    const format = zodOutputFormat(z.object({ city: z.string() }));
    const message = await client.messages.parse({ ...TURN, output_config: { format } });
    expect(message.parsed_output).toEqual({ city: 'Bern' });
    expect(api.engine.last.job.format).toMatchObject({ schema: { properties: { city: {} } } });
  });

  test('runs tools, although threads are not supported', async () => {
    const { api, client } = await setUp();
    api.engine.next(...CALL);
    api.engine.next(text('It is sunny.'), finish());
    const weather = betaZodTool({
      name: 'get_weather',
      description: 'w',
      inputSchema: z.object({ city: z.string() }),
      run: ({ city }) => `sunny in ${city}`,
    });
    const message = await client.beta.messages.toolRunner({ ...TURN, tools: [weather] });
    expect(message.content).toMatchObject([{ text: 'It is sunny.' }]);
    expect(api.engine.last.job.prompt).toMatchObject({
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', reasoning: 'Hm.', toolCalls: [{ arguments: '{"city":"Bern"}' }] },
        { role: 'tool', content: 'sunny in Bern' },
      ],
    });
  });

  test('lists and retrieves models', async () => {
    const { client } = await setUp();
    const models = await Array.fromAsync(client.models.list());
    expect(models.map(({ id }) => id)).toEqual([
      MODEL,
      HUB_MODEL,
      EMBEDDER,
      RANKER,
      RECOGNISER,
      SPEECH_MODEL,
    ]);
    expect(await client.models.retrieve(MODEL)).toMatchObject({
      id: MODEL,
      type: 'model',
      display_name: MODEL,
      created_at: '2023-11-14T22:13:20.000Z',
    });
  });

  test('gets errors as its own classes', async () => {
    const { api, client } = await setUp();
    const wrong = anthropic(api, { apiKey: 'sk-wrong' });
    await expect(wrong.messages.create(TURN)).rejects.toBeInstanceOf(AuthenticationError);
    const unknown = client.messages.create({ ...TURN, model: 'claude' });
    await expect(unknown).rejects.toBeInstanceOf(NotFoundError);
    const bad = client.messages.create({ ...TURN, max_tokens: 0 });
    await expect(bad).rejects.toBeInstanceOf(BadRequestError);
    await expect(bad).rejects.toMatchObject({
      status: 400,
      type: 'invalid_request_error',
      requestID: expect.stringMatching(/^req_/),
    });
  });

  test('retries when it was told to', async () => {
    const { api } = await setUp();
    api.engine.next(rateLimited('Too many.', 1));
    const message = await anthropic(api, { maxRetries: 1 }).messages.create(TURN);
    expect(message.stop_reason).toBe('end_turn');
    expect(api.engine.runs).toHaveLength(2);
  });

  test('throws what fails in the middle of a stream', async () => {
    const { api, client } = await setUp();
    api.engine.always(text('Hel'), serverError('engine_error', 'The GPU is gone.'));
    const reading = client.messages.create({ ...TURN, stream: true }).then(Array.fromAsync);
    await expect(reading).rejects.toBeInstanceOf(APIError);
    const helper = client.messages.stream(TURN).finalMessage();
    await expect(helper).rejects.toThrow('The GPU is gone.');
  });

  test('stops the engine when it aborts', async () => {
    const { api, client } = await setUp();
    api.engine.next(text('Hel'), HANG);
    const stream = client.messages.stream(TURN);
    stream.on('text', () => stream.abort());
    await expect(stream.finalMessage()).rejects.toThrow(/abort/i);
    await vi.waitFor(() => expect(api.engine.last.ended).toBe(true));
    expect(api.engine.last.signal.aborted).toBe(true);
  });
});
