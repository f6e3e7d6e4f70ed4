import { describe, expect, test } from 'vitest';
import { invalidRequest, rateLimited, serverError } from '../../../src/core/errors/errors.ts';
import { HUB_MODEL, MODEL, openApi, UNINSTALLED_MODEL } from '../support/api.ts';
import { errorOf } from '../support/read.ts';

const WAYS = [
  ['/chat/completions', { messages: [{ role: 'user', content: 'Hi' }] }],
  ['/chat/completions', { messages: [{ role: 'user', content: 'Hi' }], stream: true }],
  ['/completions', { prompt: 'Hi' }],
  ['/completions', { prompt: 'Hi', stream: true }],
] as const;

describe.each(WAYS)('POST %s %j', (path, base) => {
  const body = { model: MODEL, ...base };

  test.each([UNINSTALLED_MODEL, 'gpt-4o'])('of the model %s is 404', async (model) => {
    const api = await openApi();
    const error = await errorOf(await api.post(path, { ...body, model }));
    expect(error).toMatchObject({
      status: 404,
      type: 'invalid_request_error',
      code: 'model_not_found',
      param: 'model',
    });
    expect(error.message).toContain(model);
    expect(api.engine.runs).toEqual([]);
  });

  test('of a model the key may not use is 403, and the model it may use is served', async () => {
    const api = await openApi();
    await api.keys.add(api.key, { label: 'narrow', models: [HUB_MODEL] });
    expect(await errorOf(await api.post(path, body))).toMatchObject({
      status: 403,
      type: 'invalid_request_error',
      code: 'model_not_allowed',
      param: 'model',
    });
    expect((await api.post(path, { ...body, model: HUB_MODEL })).status).toBe(200);
  });

  test('of a prompt longer than the context is 400, found before any streaming', async () => {
    const api = await openApi();
    api.engine.next(
      Promise.resolve(),
      invalidRequest('Too long.', 'messages', 'context_length_exceeded'),
    );
    expect(await errorOf(await api.post(path, body))).toEqual({
      status: 400,
      type: 'invalid_request_error',
      message: 'Too long.',
      code: 'context_length_exceeded',
      param: 'messages',
    });
  });

  test('into a full queue is 429 and says when to retry', async () => {
    const api = await openApi();
    api.engine.next(rateLimited('Too many requests are waiting.', 1_250.4));
    const response = await api.post(path, body);
    expect(response.headers.get('retry-after')).toBe('2');
    expect(response.headers.get('retry-after-ms')).toBe('1251');
    expect(response.headers.get('x-should-retry')).toBeNull();
    expect(await errorOf(response)).toMatchObject({
      status: 429,
      type: 'requests',
      code: 'rate_limit_exceeded',
      param: null,
    });
  });

  test.each([
    ['engine_error', null],
    ['timeout', 'false'],
    ['webgpu_unavailable', 'false'],
    ['out_of_memory', 'false'],
    ['load_crashed', 'false'],
    ['storage_full', 'false'],
  ] as const)('that ends in %s is 500, with x-should-retry %s', async (code, shouldRetry) => {
    const api = await openApi();
    api.engine.next(serverError(code, 'It failed.'));
    const response = await api.post(path, body);
    expect(response.headers.get('x-should-retry')).toBe(shouldRetry);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await errorOf(response)).toEqual({
      status: 500,
      type: 'server_error',
      code,
      param: null,
      message: 'It failed.',
    });
  });

  test('that fails in an unforeseen way is 500 engine_error', async () => {
    const api = await openApi();
    api.engine.next(new RangeError('offset is out of bounds'));
    expect(await errorOf(await api.post(path, body))).toMatchObject({
      status: 500,
      type: 'server_error',
      code: 'engine_error',
    });
  });
});

test('the body is validated before the model is looked up', async () => {
  const api = await openApi();
  const response = await api.post('/chat/completions', { model: 'gpt-4o', messages: 7 });
  expect(await errorOf(response)).toMatchObject({ status: 400, param: 'messages' });
});
