import type OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { contextOverflow, serverError } from '../../../src/core/errors/errors.ts';
import { MODEL, openApi } from '../support/api.ts';
import { problems } from '../support/openai-schema.ts';
import { errorOf, eventsOf, json } from '../support/read.ts';
import { hasSharedFixtures } from '../support/shared-fixtures.ts';
import { finish, text, USAGE, type Step } from '../support/test-engine.ts';
import { CALLS, THOUGHT } from '../support/written-steps.ts';

type ResponseBody = OpenAI.Responses.Response;
type ResponseEvent = OpenAI.Responses.ResponseStreamEvent;

const WEATHER = {
  type: 'function',
  name: 'get_weather',
  description: 'w',
  strict: true,
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};
const CHANCE = { token: 'Hi', bytes: [72, 105], logprob: -0.5 };
const WITH_LOGPROBS: Step[] = [
  { type: 'text', text: 'Hi', logprobs: [{ ...CHANCE, top: [CHANCE] }] },
  finish(),
];

interface Case {
  name: string;
  steps: Step[];
  body?: object;
  /** Type and status of each item. */
  items: string[];
}

const CASES: Case[] = [
  { name: 'text', steps: [text('Hel'), text('lo'), finish()], items: ['message completed'] },
  {
    name: 'nothing at all',
    steps: [finish()],
    items: ['message completed'],
  },
  {
    name: 'text that is cut',
    steps: [text('Hel'), finish('length')],
    items: ['message incomplete'],
  },
  {
    name: 'thinking, text and calls',
    steps: [...THOUGHT, text('One moment.'), ...CALLS, finish('tool_calls')],
    body: { tools: [WEATHER] },
    items: ['reasoning', 'message completed', 'function_call completed', 'function_call completed'],
  },
  {
    name: 'calls alone',
    steps: [...CALLS, finish('tool_calls')],
    body: { tools: [WEATHER], tool_choice: { type: 'function', name: 'get_weather' } },
    items: ['function_call completed', 'function_call completed'],
  },
  {
    name: 'a call that is cut',
    steps: [...CALLS.slice(0, 2), finish('length')],
    body: { tools: [WEATHER], tool_choice: 'required', parallel_tool_calls: false },
    items: ['function_call incomplete'],
  },
  {
    name: 'thinking that is cut',
    steps: [...THOUGHT, finish('length')],
    items: ['reasoning incomplete', 'message incomplete'],
  },
  {
    name: 'thinking for clients that send it back',
    steps: [...THOUGHT, text('Hi'), finish()],
    body: {
      include: ['reasoning.encrypted_content'],
      store: false,
      reasoning: { effort: 'low', summary: null },
    },
    items: ['reasoning', 'message completed'],
  },
  {
    name: 'log-probabilities',
    steps: WITH_LOGPROBS,
    body: { include: ['message.output_text.logprobs'], top_logprobs: 1 },
    items: ['message completed'],
  },
  {
    name: 'JSON',
    steps: [text('{}'), finish()],
    body: {
      metadata: { a: 'b' },
      text: { format: { type: 'json_schema', name: 'w', schema: { type: 'object' } } },
    },
    items: ['message completed'],
  },
];

async function answer({ steps, body }: Case): Promise<ResponseBody> {
  const api = await openApi();
  api.engine.next(...steps);
  const response = await api.post('/responses', { model: MODEL, input: 'Hi', ...body });
  expect(response.status).toBe(200);
  return json(response);
}

async function stream({ steps, body }: Case): Promise<ResponseEvent[]> {
  const api = await openApi();
  api.engine.next(...steps);
  const request = { model: MODEL, input: 'Hi', ...body, stream: true };
  return eventsOf<ResponseEvent>(await api.post('/responses', request));
}

function lastResponse(events: readonly ResponseEvent[]): ResponseBody {
  const last = events.at(-1);
  if (last?.type === 'response.completed' || last?.type === 'response.incomplete') {
    return last.response;
  }
  throw new Error(`The last event is ${last?.type}.`);
}

/** Without what differs between two answers: ids and times. */
function comparable(body: ResponseBody) {
  return JSON.parse(
    JSON.stringify(body, (key, value: unknown) =>
      ['id', 'created_at', 'completed_at'].includes(key) ? typeof value : value,
    ),
  ) as unknown;
}

describe.each(CASES)('an answer of $name', (each) => {
  test('has its items in order', async () => {
    const { output } = await answer(each);
    const described = output.map((item) =>
      [item.type, 'status' in item ? item.status : ''].join(' '),
    );
    expect(described.map((it) => it.trim())).toEqual(each.items);
  });

  test('is the same streamed and not', async () => {
    const events = await stream(each);
    expect(comparable(lastResponse(events))).toEqual(comparable(await answer(each)));
  });

  test('is streamed in numbered events whose items have the ids of the whole answer', async () => {
    const events = await stream(each);
    expect(events.map(({ sequence_number: number }) => number)).toEqual([...events.keys()]);
    const { id, output } = lastResponse(events);
    for (const event of events) {
      if ('response' in event) expect(event.response.id).toBe(id);
      if ('item_id' in event && 'output_index' in event) {
        expect(event.item_id).toBe(output[event.output_index]?.id);
      }
      if (event.type === 'response.output_item.done') {
        expect(event.item).toEqual(output[event.output_index]);
      }
    }
  });

  test.skipIf(!hasSharedFixtures)('holds under OpenAI’s description, with all events', async () => {
    expect(problems('Response', await answer(each))).toBe('');
    for (const event of await stream(each)) {
      expect(problems('ResponseStreamEvent', event)).toBe('');
    }
  });
});

test('a whole answer', async () => {
  const each: Case = {
    name: '',
    items: [],
    steps: [...THOUGHT, text('Hello'), finish('stop', { ...USAGE, reasoningTokens: 1 })],
  };
  expect(await answer(each)).toEqual({
    id: expect.stringMatching(/^resp_[0-9a-f]{32}$/),
    object: 'response',
    created_at: expect.any(Number),
    completed_at: expect.any(Number),
    status: 'completed',
    background: false,
    error: null,
    incomplete_details: null,
    instructions: null,
    max_output_tokens: null,
    model: MODEL,
    output: [
      {
        id: expect.stringMatching(/^rs_/),
        type: 'reasoning',
        summary: [{ type: 'summary_text', text: 'Let me see.' }],
      },
      {
        id: expect.stringMatching(/^msg_/),
        type: 'message',
        status: 'completed',
        role: 'assistant',
        content: [{ type: 'output_text', text: 'Hello', annotations: [], logprobs: [] }],
      },
    ],
    parallel_tool_calls: true,
    previous_response_id: null,
    service_tier: 'default',
    reasoning: { effort: null, summary: null },
    store: true,
    temperature: 1,
    top_p: 1,
    presence_penalty: 0,
    frequency_penalty: 0,
    max_tool_calls: null,
    prompt_cache_key: null,
    safety_identifier: null,
    user: null,
    text: { format: { type: 'text' } },
    tool_choice: 'auto',
    tools: [],
    top_logprobs: 0,
    truncation: 'disabled',
    metadata: {},
    usage: {
      input_tokens: 7,
      input_tokens_details: { cached_tokens: 2, cache_write_tokens: 0 },
      output_tokens: 3,
      output_tokens_details: { reasoning_tokens: 1 },
      total_tokens: 10,
    },
  });
});

test('a streamed answer, event by event', async () => {
  const each = CASES.find(({ name }) => name === 'thinking, text and calls');
  const events = await stream(each ?? { name: '', steps: [], items: [] });
  expect(events.map(({ type }) => type.replace('response.', ''))).toEqual([
    ...['created', 'in_progress'],
    ...['output_item.added', 'reasoning_summary_part.added'],
    ...['reasoning_summary_text.delta', 'reasoning_summary_text.delta'],
    ...['reasoning_summary_text.done', 'reasoning_summary_part.done', 'output_item.done'],
    ...['output_item.added', 'content_part.added', 'output_text.delta', 'output_text.done'],
    ...['content_part.done', 'output_item.done'],
    ...['output_item.added', 'function_call_arguments.delta', 'function_call_arguments.delta'],
    ...['function_call_arguments.done', 'output_item.done'],
    ...['output_item.added', 'function_call_arguments.delta', 'function_call_arguments.done'],
    ...['output_item.done', 'completed'],
  ]);
});

describe('a failure', () => {
  test('before the answer begins is an HTTP error', async () => {
    const api = await openApi();
    api.engine.next(contextOverflow('8 tokens; the prompt has 9'));
    const request = { model: MODEL, input: 'Hi', stream: true };
    expect(await errorOf(await api.post('/responses', request))).toMatchObject({
      status: 400,
      code: 'context_length_exceeded',
      param: 'input',
    });
  });

  test('in the middle of a stream is an error event, and the last one', async () => {
    const steps: Step[] = [text('Hel'), serverError('engine_error', 'The GPU is gone.')];
    const events = await stream({ name: '', steps, items: [] });
    const error = { code: 'engine_error', message: 'The GPU is gone.', param: null };
    expect(events.at(-1)).toEqual({
      type: 'error',
      sequence_number: events.length - 1,
      ...error,
      error: { ...error, type: 'server_error' },
    });
  });
});
