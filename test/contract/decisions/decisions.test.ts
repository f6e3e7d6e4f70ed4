import { createOpenAI } from '@ai-sdk/openai';
import { experimental_decide as decide } from 'ai';
import { describe, expect, test } from 'vitest';
import { promptTooLong } from '../../../src/core/errors/errors.ts';
import { EMBEDDER, MODEL, openApi, ORIGIN } from '../support/api.ts';
import { browserFetch } from '../support/browser-fetch.ts';
import { errorOf, json } from '../support/read.ts';
import { hasSharedFixtures, recordings } from '../support/shared-fixtures.ts';

const PATH = '/decisions';
const TRUE = { type: 'predicate', instructions: 'It is urgent.' };
const TEAM = {
  type: 'choice',
  name: 'team',
  instructions: 'Which team?',
  choices: [{ value: 'ab', description: 'Payments' }, { value: 'abcdef' }],
};
const ANGER = {
  type: 'score',
  instructions: 'How angry?',
  levels: [{ label: 'ab' }, { label: 'abcd', description: 'a little' }, { label: 'ef' }],
};
const REQUEST = { model: MODEL, input: 'I was charged twice.', questions: [TRUE, TEAM, ANGER] };
const choice = (count: number) => ({
  ...TEAM,
  choices: Array.from({ length: count }, (_, at) => ({ value: `v${at}` })),
});
const score = (count: number) => ({
  ...ANGER,
  levels: Array.from({ length: count }, (_, at) => ({ label: `l${at}` })),
});

async function askedOf(body: object) {
  const api = await openApi();
  const response = await api.post(PATH, body);
  expect(response.status).toBe(200);
  return api.engine.decisions[0]?.job;
}

async function failure(body: object) {
  const api = await openApi();
  const error = await errorOf(await api.post(PATH, body));
  expect(api.engine.decisions).toEqual([]);
  return error;
}

describe('POST /v1/decisions', () => {
  test('answers each question with probabilities', async () => {
    const api = await openApi();
    expect(await json(await api.post(PATH, REQUEST))).toEqual({
      model: MODEL,
      answers: [
        { type: 'predicate', name: null, probability: 0.75, coverage: 0.5 },
        {
          type: 'choice',
          name: 'team',
          choice: 'abcdef',
          confidence: 0.5,
          probabilities: [
            { value: 'ab', probability: 0.25 },
            { value: 'abcdef', probability: 0.75 },
          ],
          coverage: 1,
        },
        {
          type: 'score',
          name: null,
          score: 1,
          confidence: expect.closeTo(0.25, 12),
          probabilities: [
            { label: 'ab', value: 0, probability: 0.25 },
            { label: 'abcd', value: 1, probability: 0.5 },
            { label: 'ef', value: 2, probability: 0.25 },
          ],
          coverage: 1,
        },
      ],
      calibration: { method: 'none' },
      usage: {
        input_tokens: 4,
        input_tokens_details: { cached_tokens: 1, cache_write_tokens: 0 },
        output_tokens: 0,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 4,
      },
    });
  });

  test('the engine is asked in both orders, or in one', async () => {
    expect(await askedOf(REQUEST)).toMatchObject({
      op: 'decide',
      model: MODEL,
      orders: 2,
      prompt: {
        messages: [
          { role: 'user', content: 'I was charged twice.' },
          { role: 'user', content: 'It is urgent.' },
          { role: 'user', content: 'Which team?' },
          { role: 'user', content: 'How angry?' },
        ],
      },
      questions: [
        { type: 'predicate' },
        {
          type: 'choice',
          options: [{ text: 'ab', description: 'Payments' }, { text: 'abcdef' }],
        },
        {
          type: 'score',
          options: [{ text: 'ab' }, { text: 'abcd', description: 'a little' }, { text: 'ef' }],
        },
      ],
    });
    expect(await askedOf({ ...REQUEST, option_orders: 1 })).toMatchObject({ orders: 1 });
  });

  test('a temperature makes answers less certain, and is told', async () => {
    const api = await openApi();
    const body = await json(await api.post(PATH, { ...REQUEST, temperature: 2 }));
    const even = Math.sqrt(0.75) / (Math.sqrt(0.75) + Math.sqrt(0.25));
    expect(body).toMatchObject({
      answers: [{ probability: expect.closeTo(even, 12) }, { choice: 'abcdef' }, {}],
      calibration: { method: 'temperature', temperature: 2 },
    });
  });

  test('a conversation is evidence: who said what, and what calls gave', async () => {
    const input = [
      { role: 'system', content: 'You help.' },
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'Look: ' },
          { type: 'input_json', data: { b: 1, a: 2 } },
        ],
      },
      { type: 'function_call', call_id: 'c1', name: 'lookup', arguments: '{"id":7}' },
      {
        type: 'function_call_output',
        call_id: 'c1',
        output: [{ type: 'input_text', text: 'not found' }],
      },
      { type: 'custom_tool_call', call_id: 'c2', name: 'shell', input: 'ls' },
      { type: 'custom_tool_call_output', call_id: 'c2', output: 'a b' },
      { role: 'assistant', content: [{ type: 'output_text', text: 'I could not find it.' }] },
    ];
    const job = await askedOf({ ...REQUEST, input });
    expect(job?.prompt.messages[0]?.content.split('\n')).toEqual([
      'system: You help.',
      'user: Look: {"b":1,"a":2}',
      'assistant: calls lookup({"id":7})',
      'result of lookup: not found',
      'assistant: calls shell(ls)',
      'result of shell: a b',
      'assistant: I could not find it.',
    ]);
  });

  test('a boolean and a string that is written alike are two choices', async () => {
    const api = await openApi();
    const choices = [{ value: true }, { value: 'true' }, { value: false }];
    const body = await json(
      await api.post(PATH, { ...REQUEST, questions: [{ ...TEAM, choices }] }),
    );
    expect(body).toMatchObject({
      answers: [
        { choice: false, probabilities: [{ value: true }, { value: 'true' }, { value: false }] },
      ],
    });
  });

  test.each([
    [{ input: undefined }, 'input', null],
    [{ input: [] }, 'input', 'empty_array'],
    [{ input: [{ content: 'Hi' }] }, 'input[0].role', null],
    [{ input: [{ type: 'reasoning' }] }, 'input[0].type', 'unsupported_value'],
    [
      { input: [{ type: 'function_call_output', call_id: 'x', output: '' }] },
      'input[0].call_id',
      null,
    ],
    [
      { input: [{ role: 'user', content: [{ type: 'input_json', data: 7 }] }] },
      'input[0].content[0].data',
      null,
    ],
    [
      { input: [{ role: 'user', content: [{ type: 'input_file', file_id: 'f' }] }] },
      'input[0].content[0].type',
      'unsupported_value',
    ],
    [{ questions: undefined }, 'questions', null],
    [{ questions: [] }, 'questions', 'empty_array'],
    [{ questions: Array.from({ length: 401 }, () => TRUE) }, 'questions', null],
    [{ questions: [{ ...TRUE, type: 'guess' }] }, 'questions[0].type', null],
    [{ questions: [{ type: 'predicate' }] }, 'questions[0].instructions', null],
    [{ questions: [{ ...TEAM, choices: undefined }] }, 'questions[0].choices', null],
    [{ questions: [{ ...TEAM, choices: [] }] }, 'questions[0].choices', 'empty_array'],
    [{ questions: [choice(1)] }, 'questions[0].choices', null],
    [{ questions: [choice(256)] }, 'questions[0].choices', null],
    [{ questions: [score(1)] }, 'questions[0].levels', null],
    [{ questions: [score(11)] }, 'questions[0].levels', null],
    [
      { questions: [TRUE, { ...TEAM, choices: [{ value: 'a' }, { value: 'a' }] }] },
      'questions[1].choices[1].value',
      null,
    ],
    [
      { questions: [{ ...TEAM, choices: [{ value: 1 }, { value: 2 }] }] },
      'questions[0].choices[0].value',
      null,
    ],
    [{ questions: [TEAM, TEAM] }, 'questions[1].name', null],
    [{ temperature: 0 }, 'temperature', null],
    [{ option_orders: 3 }, 'option_orders', null],
    [{ stream: true }, 'stream', 'unsupported_value'],
    [{ model: EMBEDDER }, 'model', 'unsupported_value'],
    [{ model: '' }, 'model', null],
  ])('refuses %j', async (change, param, code) => {
    expect(await failure({ ...REQUEST, ...change })).toMatchObject({ status: 400, param, code });
  });

  test.each([255, 2])('takes %i choices', async (count) => {
    await askedOf({ ...REQUEST, questions: [choice(count)] });
  });

  test('an input that is too long is named', async () => {
    const api = await openApi();
    api.engine.next(promptTooLong(9, 8));
    expect(await errorOf(await api.post(PATH, REQUEST))).toMatchObject({
      status: 400,
      code: 'context_length_exceeded',
      param: 'input',
    });
  });
});

describe('clients get decisions', () => {
  test('the openai package', async () => {
    const client = (await openApi()).client();
    const { answers, usage } = await client.decisions.create({
      model: MODEL,
      input: 'I was charged twice.',
      questions: [{ type: 'predicate', name: 'urgent', instructions: 'It is urgent.' }],
    });
    expect(answers).toMatchObject([{ type: 'predicate', name: 'urgent', probability: 0.75 }]);
    expect(usage.input_tokens_details.cache_write_tokens).toBe(0);
  });

  test('the AI SDK', async () => {
    const api = await openApi();
    const openai = createOpenAI({
      baseURL: `${ORIGIN}/v1`,
      apiKey: api.key,
      fetch: browserFetch(api.app),
    });
    const { answers } = await decide({
      model: openai.decisionModel(MODEL),
      state: 'I was charged twice.',
      questions: {
        urgent: { type: 'boolean', instructions: 'Is it urgent?' },
        team: {
          type: 'choice',
          instructions: 'Which team?',
          criteria: { ab: 'Payments', abcdef: null },
        },
        anger: { type: 'score', instructions: 'How angry?', criteria: ['ab', 'abcd', 'ef'] },
      },
    });
    expect(answers).toMatchObject({
      urgent: { type: 'boolean', probability: 0.75 },
      team: { choice: 'abcdef', probabilities: { ab: 0.25, abcdef: 0.75 } },
      anger: { type: 'score', score: expect.closeTo(1, 12) },
    });
  });
});

const recorded = recordings().flatMap(({ client, requests, ...rest }) =>
  requests
    .filter(({ path }) => /\/(decisions|systemone)$/.test(path))
    .map((request) => ({ name: `${client} ${rest.case}`, request })),
);

describe.skipIf(!hasSharedFixtures)('recorded requests for decisions', () => {
  test('are there', () => expect(recorded.length).toBeGreaterThan(5));

  test.each(recorded)('$name', async ({ request: { path, body } }) => {
    const api = await openApi();
    const response = await api.post(path.replace('/v1', ''), { ...body, model: MODEL });
    expect(response.status).toBe(200);
  });
});
