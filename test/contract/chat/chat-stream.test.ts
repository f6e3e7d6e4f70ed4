import { describe, expect, test } from 'vitest';
import { MODEL, openApi } from '../support/api.ts';
import { chunksOf, dataOf, type Chunk, type ErrorBody } from '../support/read.ts';
import { apiError, finish, HANG, text } from '../support/test-engine.ts';

const BODY = { model: MODEL, messages: [{ role: 'user', content: 'Hi' }], stream: true };
const NO_GRACE = { stream: 1, json: 1 };

describe('a streamed chat completion', () => {
  test('is an event stream that must not be cached', async () => {
    const api = await openApi();
    const response = await api.post('/chat/completions', BODY);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-cache');
    await response.text();
  });

  test('begins with the role, continues with text, and ends with the reason and [DONE]', async () => {
    const api = await openApi();
    const chunks = await chunksOf(await api.post('/chat/completions', BODY));
    expect(chunks.map(({ choices }) => choices)).toEqual([
      [choice({ role: 'assistant', content: '' }, null)],
      [choice({ content: 'Hello' }, null)],
      [choice({ content: ' there' }, null)],
      [choice({}, 'stop')],
    ]);
  });

  test('shares id, created and model among its chunks', async () => {
    const api = await openApi();
    const chunks = await chunksOf(await api.post('/chat/completions', BODY));
    const heads = chunks.map((chunk) => JSON.stringify({ ...chunk, choices: [] }));
    expect(new Set(heads).size).toBe(1);
    expect(chunks[0]).toMatchObject({
      id: expect.stringMatching(/^chatcmpl-[0-9a-f]{32}$/),
      object: 'chat.completion.chunk',
      created: expect.any(Number),
      model: MODEL,
    });
  });

  test('has usage only if asked for it', async () => {
    const api = await openApi();
    const chunks = await chunksOf(await api.post('/chat/completions', BODY));
    expect(chunks.filter((chunk) => 'usage' in chunk)).toEqual([]);
  });

  test('with include_usage has a usage chunk last, and null on all others', async () => {
    const api = await openApi();
    const body = { ...BODY, stream_options: { include_usage: true } };
    const chunks = await chunksOf(await api.post('/chat/completions', body));
    expect(chunks.map(({ usage }) => usage)).toEqual([
      ...[null, null, null, null],
      {
        prompt_tokens: 7,
        completion_tokens: 3,
        total_tokens: 10,
        prompt_tokens_details: { cached_tokens: 2, cache_write_tokens: 0 },
      },
    ]);
    expect(chunks.at(-1)?.choices).toEqual([]);
  });

  test('cut by the token limit ends with "length"', async () => {
    const api = await openApi();
    api.engine.next(text('Once'), finish('length'));
    const chunks = await chunksOf(await api.post('/chat/completions', BODY));
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe('length');
  });

  test('keeps line ends and other scripts intact', async () => {
    const piece = 'data: [DONE]\n\n\r\n\u2028 é 漢字 🐈 "\\';
    const api = await openApi();
    api.engine.next(text(piece), finish());
    const chunks = await chunksOf(await api.post('/chat/completions', BODY));
    expect(chunks[1]?.choices[0]?.delta.content).toBe(piece);
  });
});

describe('a failure after streaming has begun', () => {
  test('is an error event, and no [DONE] after it', async () => {
    const api = await openApi();
    api.engine.next(text('Hel'), apiError(500, 'server_error', 'engine_error'));
    const data = await dataOf(await api.post('/chat/completions', BODY));
    expect(data).toHaveLength(3);
    expect(JSON.parse(data.at(-1) ?? '')).toEqual<ErrorBody>({
      error: {
        message: 'It is engine_error.',
        type: 'server_error',
        param: null,
        code: 'engine_error',
      },
    });
  });

  test('that was not foreseen is one as well', async () => {
    const api = await openApi();
    api.engine.next(text('Hel'), new TypeError('x is not a function'));
    const data = await dataOf(await api.post('/chat/completions', BODY));
    expect(JSON.parse(data.at(-1) ?? '')).toMatchObject({
      error: { type: 'server_error', code: 'engine_error', message: 'x is not a function' },
    });
  });

  test('an engine that just stops is a failure, never a clean end', async () => {
    const api = await openApi();
    api.engine.next(text('Hel'));
    const data = await dataOf(await api.post('/chat/completions', BODY));
    expect(JSON.parse(data.at(-1) ?? '')).toMatchObject({ error: { code: 'engine_error' } });
  });

  test('a prompt that is found to be too long after the grace is an error event with its code', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const api = await openApi({ graceMs: NO_GRACE });
    api.engine.next(promise, apiError(400, 'invalid_request_error', 'context_length_exceeded'));
    const response = await api.post('/chat/completions', BODY);
    expect(response.status).toBe(200);
    resolve();
    const data = await dataOf(response);
    expect(JSON.parse(data.at(-1) ?? '')).toMatchObject({
      error: { code: 'context_length_exceeded' },
    });
  });
});

test('the first chunk does not wait for the ones after it', async () => {
  const api = await openApi();
  api.engine.next(text('Hello'), HANG);
  const { body } = await api.post('/chat/completions', BODY);
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let received = '';
  while (!received.includes('Hello')) received += decoder.decode((await reader?.read())?.value);
  const [first] = received.split('\n\n');
  const chunk: Chunk = JSON.parse(first?.replace('data: ', '') ?? '');
  expect(chunk.choices[0]?.delta).toEqual({ role: 'assistant', content: '' });
  await reader?.cancel();
});

function choice(delta: object, finish_reason: string | null) {
  return { index: 0, delta, logprobs: null, finish_reason };
}
