import { beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { serverError } from '../../../src/core/errors/errors.ts';
import { MODEL, openApi } from '../support/api.ts';
import { LlamaCppEngine } from '../support/llamacpp-engine.ts';
import { openResponse, openResponseEvent } from './open-responses-schema.ts';
import { quickApp } from '../support/quick-app.ts';
import { eventsOf, json } from '../support/read.ts';
import { DATA } from '../images/site-images.ts';
import { finish, text, type Step } from '../support/test-engine.ts';
import { CALLS, THOUGHT } from '../support/written-steps.ts';

type OpenEvent = z.infer<typeof openResponseEvent>;

const user = (content: unknown) => ({ type: 'message', role: 'user', content });
const WEATHER = {
  type: 'function',
  name: 'get_weather',
  description: 'Get the current weather for a location',
  parameters: {
    type: 'object',
    properties: { location: { type: 'string', description: 'The city, e.g. Bern' } },
    required: ['location'],
  },
};

/** The conversations of the specification's own compliance tests. */
const CONVERSATIONS: [name: string, request: object][] = [
  ['a text', { input: [user('Say hello in exactly 3 words.')] }],
  [
    'a system message',
    { input: [{ ...user('Be a pirate.'), role: 'system' }, user('Say hello.')] },
  ],
  [
    'several turns',
    {
      input: [
        user('My name is Alice.'),
        { type: 'message', role: 'assistant', content: 'Hello Alice! How can I help you?' },
        user('What is my name?'),
      ],
    },
  ],
  ['a tool', { input: [user("What's the weather like in Bern?")], tools: [WEATHER] }],
];

const engine = new LlamaCppEngine();
const { post } = quickApp(engine);
const ask = (request: object) => post('/responses', JSON.stringify({ model: MODEL, ...request }));

/** Every event of a stream, none of which violates the schema. */
const events = async (response: Response): Promise<OpenEvent[]> =>
  (await eventsOf(response)).map((each) => openResponseEvent.parse(each));

describe.each(CONVERSATIONS)('%s, answered by a real model', (_name, request) => {
  test('is a response', async () => {
    const { status, output } = openResponse.parse(await json(await ask(request)));
    expect(status).toBe('completed');
    expect(output).not.toEqual([]);
  });

  test('is a stream', async () => {
    const all = await events(await ask({ ...request, stream: true }));
    expect(all.at(-1)?.type).toBe('response.completed');
  });
});

describe('a call', () => {
  const request = { ...CONVERSATIONS[3]?.[1], tool_choice: 'required' };
  let streamed: OpenEvent[];

  beforeAll(async () => (streamed = await events(await ask({ ...request, stream: true }))));

  test('is an item', async () => {
    const { output } = openResponse.parse(await json(await ask(request)));
    expect(output.map(({ type }) => type)).toContain('function_call');
  });

  test('is streamed from its beginning to its end', () => {
    const told = streamed.map((each) =>
      'item' in each ? `${each.type} ${each.item.type}` : each.type,
    );
    expect(told).toEqual(
      expect.arrayContaining([
        'response.output_item.added function_call',
        'response.function_call_arguments.delta',
        'response.function_call_arguments.done',
        'response.output_item.done function_call',
      ]),
    );
  });
});

test('an image is read', async () => {
  const api = await openApi({ sees: true });
  const parts = [
    { type: 'input_text', text: 'What do you see?' },
    { type: 'input_image', image_url: DATA },
  ];
  const response = await api.post('/responses', { model: MODEL, input: [user(parts)] });
  expect(openResponse.parse(await json(response)).status).toBe('completed');
});

const CHANCE = { token: 'Hi', bytes: [72, 105], logprob: -0.5 };

/** Everything that the answer's fields can be. */
const SCRIPTED: [name: string, steps: Step[], request?: object][] = [
  ['a cut text', [text('Hel'), finish('length')], { max_output_tokens: 1 }],
  ['a cut thought', [...THOUGHT, finish('length')]],
  [
    'thinking, text and calls',
    [...THOUGHT, text('Wait.'), ...CALLS, finish('tool_calls')],
    { tools: [WEATHER, { type: 'function', name: 'bare' }], parallel_tool_calls: false },
  ],
  [
    'a thought as content',
    [...THOUGHT, text('Hi'), finish()],
    { reasoning: { effort: 'low', summary: null }, include: ['reasoning.encrypted_content'] },
  ],
  ['a named tool', [...CALLS, finish('tool_calls')], named({ type: 'function', name: 'f' })],
  [
    'allowed tools',
    [text('Hi'), finish()],
    named({ type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'f' }] }),
  ],
  ['a JSON object', [text('{}'), finish()], { text: { format: { type: 'json_object' } } }],
  ['a JSON Schema', [text('{}'), finish()], format({})],
  ['a described JSON Schema', [text('{}'), finish()], format({ description: 'd', strict: false })],
  [
    'log-probabilities',
    [{ type: 'text', text: 'Hi', logprobs: [{ ...CHANCE, top: [CHANCE] }] }, finish()],
    { include: ['message.output_text.logprobs'], top_logprobs: 1 },
  ],
  [
    'all that a request can say',
    [text('Hi'), finish()],
    {
      temperature: 0.5,
      top_p: 0.5,
      presence_penalty: 1,
      frequency_penalty: -1,
      user: 'u',
      safety_identifier: 's',
      prompt_cache_key: 'p',
      max_tool_calls: 3,
      truncation: 'auto',
      metadata: { a: 'b' },
      instructions: 'Be brief.',
      store: false,
      service_tier: 'flex',
    },
  ],
];

function named(choice: object) {
  return { tools: [{ type: 'function', name: 'f' }], tool_choice: choice };
}

function format(more: object) {
  return {
    text: { format: { type: 'json_schema', name: 'x', schema: { type: 'object' }, ...more } },
  };
}

test.each(SCRIPTED)('%s', async (_name, steps, request = {}) => {
  const api = await openApi();
  const body = { model: MODEL, input: 'Hi', ...request };
  api.engine.next(...steps);
  openResponse.parse(await json(await api.post('/responses', body)));
  api.engine.next(...steps);
  await events(await api.post('/responses', { ...body, stream: true }));
});

test('a failure in the middle of a stream', async () => {
  const api = await openApi();
  api.engine.next(text('Hel'), serverError('engine_error', 'The GPU is gone.'));
  const response = await api.post('/responses', { model: MODEL, input: 'Hi', stream: true });
  expect((await events(response)).at(-1)?.type).toBe('error');
});
