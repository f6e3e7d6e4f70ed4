import type Anthropic from '@anthropic-ai/sdk';
import { describe, expect, test } from 'vitest';
import { contextOverflow, rateLimited, serverError } from '../../../src/core/errors/errors.ts';
import { MODEL, openApi } from '../support/api.ts';
import { eventsOf, json } from '../support/read.ts';
import { finish, text, USAGE, type Step } from '../support/test-engine.ts';
import { CALLS, THOUGHT } from '../support/written-steps.ts';

type Message = Anthropic.Message;
type MessageEvent = Anthropic.RawMessageStreamEvent;

const START: Step = { type: 'start', prompt: { promptTokens: 7, cachedTokens: 2 } };
const TURN = { model: MODEL, max_tokens: 50, messages: [{ role: 'user', content: 'Hi' }] };
const TOOLS = { tools: [{ name: 'get_weather', input_schema: { type: 'object' } }] };

interface Case {
  name: string;
  steps: Step[];
  body?: object;
  content: object[];
  stop: string;
}

const said = (words: string) => ({ type: 'text', text: words });
const thought = (thinking: string) => ({ type: 'thinking', thinking, signature: 'c2xhc2h2MQ==' });
const called = (nth: number, input: object) => ({
  type: 'tool_use',
  id: `toolu_${nth}`,
  name: 'get_weather',
  input,
});

const CASES: Case[] = [
  {
    name: 'text',
    steps: [text('Hel'), text('lo'), finish()],
    content: [said('Hello')],
    stop: 'end_turn',
  },
  { name: 'nothing at all', steps: [finish()], content: [], stop: 'end_turn' },
  {
    name: 'text that is cut',
    steps: [text('Hel'), finish('length', { ...USAGE, completionTokens: 50 })],
    content: [said('Hel')],
    stop: 'max_tokens',
  },
  {
    name: 'text that fills the context',
    steps: [text('Hel'), finish('length')],
    content: [said('Hel')],
    stop: 'model_context_window_exceeded',
  },
  {
    name: 'a thought whose end has no place any more',
    steps: [...THOUGHT, { type: 'finish', reason: 'length', isTight: true, usage: USAGE }],
    content: [thought('Let me see.')],
    stop: 'max_tokens',
  },
  {
    name: 'text that a stop sequence ends',
    steps: [text('Hel'), { type: 'finish', reason: 'stop', stop: 'END', usage: USAGE }],
    content: [said('Hel')],
    stop: 'stop_sequence END',
  },
  {
    name: 'thinking, text and calls',
    steps: [...THOUGHT, text('One moment.'), ...CALLS, finish('tool_calls')],
    body: TOOLS,
    content: [
      ...[thought('Let me see.'), said('One moment.')],
      ...[called(0, { city: 'Bern' }), called(1, {})],
    ],
    stop: 'tool_use',
  },
  {
    name: 'thinking that is not to be shown',
    steps: [...THOUGHT, text('Hi'), finish()],
    body: { thinking: { type: 'adaptive', display: 'omitted' } },
    content: [thought(''), said('Hi')],
    stop: 'end_turn',
  },
  {
    name: 'a call that is cut',
    steps: [...CALLS.slice(0, 2), finish('length', { ...USAGE, completionTokens: 50 })],
    body: TOOLS,
    content: [called(0, {})],
    stop: 'max_tokens',
  },
];

async function answer({ steps, body }: Pick<Case, 'steps' | 'body'>): Promise<Message> {
  const api = await openApi();
  api.engine.next(START, ...steps);
  const response = await api.post('/messages', { ...TURN, ...body });
  expect(response.status).toBe(200);
  return json(response);
}

async function stream({ steps, body }: Pick<Case, 'steps' | 'body'>): Promise<MessageEvent[]> {
  const api = await openApi();
  api.engine.next(START, ...steps);
  return eventsOf(await api.post('/messages', { ...TURN, ...body, stream: true }));
}

describe.each(CASES)('an answer of $name', (each) => {
  test('has its blocks in order, and why it ended', async () => {
    const { content, stop_reason, stop_sequence } = await answer(each);
    expect(content).toEqual(each.content);
    expect([stop_reason, stop_sequence].filter((it) => it !== null).join(' ')).toBe(each.stop);
  });

  test('is the same streamed, block by block', async () => {
    const events = await stream(each);
    const whole = await answer(each);
    const starts = events.flatMap((event) =>
      event.type === 'content_block_start' ? [{ at: event.index, ...event.content_block }] : [],
    );
    expect(starts.map(({ at }) => at)).toEqual([...whole.content.keys()]);
    expect(whole.content).toMatchObject(starts.map(({ type }) => ({ type })));
    const ended = events.find((event) => event.type === 'message_delta');
    const { stop_reason, stop_sequence, usage } = whole;
    expect(ended).toMatchObject({ delta: { stop_reason, stop_sequence }, usage });
  });

  test('is streamed with one block open at a time', async () => {
    const events = await stream(each);
    let open: number | undefined;
    for (const event of events) {
      if (event.type === 'content_block_start') expect(open).toBeUndefined();
      if (event.type === 'content_block_start') open = event.index;
      if ('index' in event) expect(event.index).toBe(open);
      if (event.type === 'content_block_stop') open = undefined;
    }
    expect(open).toBeUndefined();
    expect(events.at(-1)).toEqual({ type: 'message_stop' });
  });
});

test('a whole answer', async () => {
  const usage = { ...USAGE, reasoningTokens: 1 };
  expect(await answer({ steps: [text('Hello'), finish('stop', usage)] })).toEqual({
    id: expect.stringMatching(/^msg_[0-9a-f]{32}$/),
    type: 'message',
    role: 'assistant',
    model: MODEL,
    content: [said('Hello')],
    container: null,
    stop_reason: 'end_turn',
    stop_sequence: null,
    stop_details: null,
    usage: {
      input_tokens: 5,
      cache_creation_input_tokens: 0,
      cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
      cache_read_input_tokens: 2,
      output_tokens: 3,
      output_tokens_details: { thinking_tokens: 1 },
      service_tier: 'standard',
    },
  });
});

test('a streamed answer, event by event', async () => {
  const steps: Step[] = [...THOUGHT, text('Hi'), ...CALLS.slice(0, 3), finish('tool_calls')];
  const events = await stream({ steps, body: TOOLS });
  const [first] = events;
  expect(first).toMatchObject({
    message: { content: [], stop_reason: null, usage: { input_tokens: 5, output_tokens: 0 } },
  });
  const described = events.map((event) => {
    if (event.type !== 'content_block_delta') return event.type;
    return `${event.index} ${event.delta.type}`;
  });
  expect(described).toEqual([
    ...['message_start', 'content_block_start', '0 thinking_delta', '0 thinking_delta'],
    ...['0 signature_delta', 'content_block_stop'],
    ...['content_block_start', '1 text_delta', 'content_block_stop'],
    ...['content_block_start', '2 input_json_delta', '2 input_json_delta', '2 input_json_delta'],
    ...['content_block_stop', 'message_delta', 'message_stop'],
  ]);
});

describe('an error', () => {
  async function errorOf(response: Response) {
    const body = await json<{ type: string; error: object; request_id: string }>(response);
    const ids = ['request-id', 'x-request-id'].map((name) => response.headers.get(name));
    expect(ids).toEqual([body.request_id, body.request_id]);
    expect(body.request_id).toMatch(/^req_/);
    expect(body.type).toBe('error');
    return { status: response.status, ...body.error };
  }

  test.each([
    [rateLimited('Too many.', 30), 429, 'rate_limit_error'],
    [serverError('engine_error', 'No.'), 500, 'api_error'],
  ])('of the engine has the type of its status: %s', async (error, status, type) => {
    const api = await openApi();
    api.engine.next(error);
    expect(await errorOf(await api.post('/messages', TURN))).toMatchObject({ status, type });
  });

  test.each([
    ['/messages', { method: 'POST', headers: {}, body: '{}' }, 401, 'authentication_error'],
    ['/messages', { method: 'PUT' }, 405, 'invalid_request_error'],
    ['/messages/x', {}, 404, 'not_found_error'],
    [
      '/models/nobody',
      { headers: { 'anthropic-version': '2023-06-01' } },
      ...([401, 'authentication_error'] as const),
    ],
  ])('of %s with %j has it as well', async (path, init, status, type) => {
    const api = await openApi();
    expect(await errorOf(await api.fetch(path, init))).toMatchObject({ status, type });
  });

  test('of a model that does not exist', async () => {
    const api = await openApi();
    expect(await errorOf(await api.post('/messages', { ...TURN, model: 'x' }))).toMatchObject({
      status: 404,
      type: 'not_found_error',
      code: 'model_not_found',
    });
  });

  test('names the field in Anthropic’s way', async () => {
    const api = await openApi();
    const messages = [{ role: 'user', content: [{ type: 'text' }] }];
    expect(await errorOf(await api.post('/messages', { ...TURN, messages }))).toMatchObject({
      status: 400,
      message: 'messages.0.content.0.text: is required.',
    });
  });

  test('of a prompt that is too long says so first', async () => {
    const api = await openApi();
    const overflow = { prompt: 9000, context: 4096 };
    api.engine.next(contextOverflow('4096 tokens; the prompt has 9000', overflow));
    expect(await errorOf(await api.post('/messages', TURN))).toMatchObject({
      status: 400,
      message: 'prompt is too long: 9000 tokens > 4096 maximum',
    });
    api.engine.next(contextOverflow('far less than this prompt'));
    expect(await errorOf(await api.post('/messages', TURN))).toMatchObject({
      message: expect.stringMatching(/^prompt is too long: This model's maximum/),
    });
  });

  test('in the middle of a stream is an event, and the last one', async () => {
    const steps: Step[] = [text('Hel'), serverError('engine_error', 'The GPU is gone.')];
    expect((await stream({ steps })).at(-1)).toMatchObject({
      type: 'error',
      error: { type: 'api_error', message: 'The GPU is gone.' },
    });
  });
});

test.each(['x-api-key', 'authorization'])('the key may come as %s', async (name) => {
  const api = await openApi();
  const value = name === 'authorization' ? `Bearer ${api.key}` : api.key;
  const response = await api.post('/messages', TURN, { headers: { [name]: value } });
  expect(response.status).toBe(200);
  expect(response.headers.get('request-id')).toMatch(/^req_/);
});
