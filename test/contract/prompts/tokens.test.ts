import { describe, expect, test } from 'vitest';
import { jobFault } from '../../../src/core/errors/errors.ts';
import { MODEL, openApi, SPEECH_MODEL } from '../support/api.ts';
import { forbidNetwork } from '../support/forbid-network.ts';
import { anthropic } from '../messages/messages-clients.ts';
import { errorOf, json } from '../support/read.ts';

forbidNetwork();

const HI = [{ role: 'user' as const, content: 'Hi' }];
const TOOL = { name: 'f', parameters: { type: 'object' } };

/** For the test engine, each character is a token, and each message has one more token before it. */
const COUNTS: [path: string, body: object, answer: object][] = [
  [
    '/chat/completions/input_tokens',
    { messages: HI, tools: [{ type: 'function', function: TOOL }] },
    { object: 'response.input_tokens', input_tokens: 3 },
  ],
  [
    '/responses/input_tokens',
    { input: 'Hi', instructions: 'Ho', tools: [{ type: 'function', ...TOOL }] },
    { object: 'response.input_tokens', input_tokens: 6 },
  ],
  [
    '/messages/count_tokens',
    { messages: HI, system: 'Ho', tools: [{ name: 'f', input_schema: TOOL.parameters }] },
    { input_tokens: 6 },
  ],
];

describe.each(COUNTS)('POST %s', (path, body, answer) => {
  test('counts the tokens of a request, and generates nothing', async () => {
    const api = await openApi();
    const response = await api.post(path, { model: MODEL, ...body });
    expect(response.status).toBe(200);
    expect(await json(response)).toEqual(answer);
    expect(api.engine.runs).toEqual([]);
    expect(api.engine.counts[0]?.job).toMatchObject({
      model: MODEL,
      of: { kind: 'chat' },
      tools: { tools: [TOOL] },
    });
  });

  test('refuses what a request for an answer would be refused for', async () => {
    const api = await openApi();
    expect((await api.post(path, { ...body, model: SPEECH_MODEL })).status).toBe(400);
    expect((await api.post(path, { ...body, model: 'x' })).status).toBe(404);
    expect((await api.post(path, { ...body, model: MODEL, tools: 7 })).status).toBe(400);
    expect((await api.post(path, { ...body, model: MODEL }, { headers: {} })).status).toBe(401);
    expect(api.engine.counts).toEqual([]);
  });
});

test('the packages of OpenAI and Anthropic count tokens', async () => {
  const api = await openApi();
  const counted = await api.client().responses.inputTokens.count({ model: MODEL, input: 'Hi' });
  expect(counted.input_tokens).toBe(3);
  const messages = await anthropic(api).messages.countTokens({ model: MODEL, messages: HI });
  expect(messages.input_tokens).toBe(3);
});

test('tokens of a conversation that is kept are counted', async () => {
  const api = await openApi();
  const { id } = await json<{ id: string }>(
    await api.post('/responses', { model: MODEL, input: 'Hi' }),
  );
  const body = { model: MODEL, input: 'Ho', previous_response_id: id };
  const counted = await json(await api.post('/responses/input_tokens', body));
  expect(counted).toMatchObject({ input_tokens: '\nHi\nHello there\nHo'.length });
});

describe('POST /tokenize', () => {
  test.each(['prompt', 'content'])('gives the tokens of a %s', async (field) => {
    const api = await openApi();
    const answer = await json(await api.post('/tokenize', { model: MODEL, [field]: 'Hi' }));
    expect(answer).toEqual({ tokens: [72, 105], count: 2, max_model_len: 2048, token_strs: null });
    expect(api.engine.counts[0]?.job).toMatchObject({ of: { kind: 'raw', text: 'Hi' } });
  });

  test('gives their texts in the ways of vLLM and llama.cpp', async () => {
    const api = await openApi();
    const body = { model: MODEL, prompt: 'Hi' };
    const strings = await json(await api.post('/tokenize', { ...body, return_token_strs: true }));
    expect(strings).toMatchObject({ tokens: [72, 105], token_strs: ['H', 'i'] });
    const pieces = await json(await api.post('/tokenize', { ...body, with_pieces: true }));
    expect(pieces).toMatchObject({
      tokens: [
        { id: 72, piece: 'H' },
        { id: 105, piece: 'i' },
      ],
    });
  });

  test('gives the tokens of messages, as vLLM does', async () => {
    const api = await openApi();
    const tools = [{ type: 'function', function: TOOL }];
    const chat_template_kwargs = { enable_thinking: false };
    const body = { model: MODEL, messages: HI, tools, chat_template_kwargs };
    const answer = await json(await api.post('/tokenize', { ...body, return_token_strs: true }));
    expect(answer).toEqual({
      tokens: [10, 72, 105],
      count: 3,
      max_model_len: 2048,
      token_strs: ['\n', 'H', 'i'],
    });
    expect(api.engine.counts[0]?.job).toMatchObject({
      of: { kind: 'chat', templateOptions: chat_template_kwargs },
      tools: { tools: [TOOL] },
    });
  });

  test.each([
    ['needs a text', {}, 'prompt'],
    ['takes one text', { messages: HI, prompt: 'Hi' }, 'prompt'],
    ['takes one text', { messages: HI, content: 'Hi' }, 'content'],
    ['refuses what a chat is refused for', { messages: [] }, 'messages'],
    ['refuses what a chat is refused for', { messages: HI, tools: 7 }, 'tools'],
    ['refuses what a chat is refused for', { messages: [{ role: 'x' }] }, 'messages[0].role'],
  ])('%s: %j', async (_what, body, param) => {
    const api = await openApi();
    const error = await errorOf(await api.post('/tokenize', { model: MODEL, ...body }));
    expect(error).toMatchObject({ status: 400, param });
  });
});

describe('POST /detokenize', () => {
  test('gives the text of tokens', async () => {
    const api = await openApi();
    const body = { model: MODEL, tokens: [72, 105] };
    expect(await json(await api.post('/detokenize', body))).toEqual({
      prompt: 'Hi',
      content: 'Hi',
    });
  });

  test.each([
    [undefined, 'tokens'],
    ['Hi', 'tokens'],
    [[1, -1], 'tokens[1]'],
    [[0.5], 'tokens[0]'],
  ])('refuses the tokens %j', async (tokens, param) => {
    const api = await openApi();
    const error = await errorOf(await api.post('/detokenize', { model: MODEL, tokens }));
    expect(error).toMatchObject({ status: 400, param });
  });

  test('names the token that the model does not have', async () => {
    const api = await openApi();
    const text = 'is no token of this model: its ids end at 9.';
    api.engine.next(jobFault('tokens', text, { path: '[1]' }));
    const error = await errorOf(await api.post('/detokenize', { model: MODEL, tokens: [1, 10] }));
    expect(error).toMatchObject({
      status: 400,
      param: 'tokens[1]',
      message: `'tokens[1]' ${text}`,
    });
  });
});
