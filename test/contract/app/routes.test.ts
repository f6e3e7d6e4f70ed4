import { describe, expect, test } from 'vitest';
import {
  HEALTH_HEADER,
  HEALTH_PATH,
  PROTOCOL,
  VERSION_HEADER,
} from '../../../src/core/realms/messages.ts';
import { VERSION } from '../../../src/core/version.ts';
import { navigationRefused } from '../../../sw/http/error-response.ts';
import { MODEL, openApi, ORIGIN } from '../support/api.ts';
import { errorOf, json } from '../support/read.ts';
import { serverError } from '../../../src/core/errors/errors.ts';

const CHAT = { model: MODEL, messages: [{ role: 'user', content: 'Hi' }] };

describe('a path that the API does not have', () => {
  test.each([
    ['POST', '/x', 'Invalid URL (POST /v1/x)'],
    ['GET', '/x', 'Invalid URL (GET /v1/x)'],
    ['DELETE', '/batches/b1', 'Invalid URL (DELETE /v1/batches/b1)'],
    ['POST', '/chat', 'Invalid URL (POST /v1/chat)'],
    ['POST', '/chat/completions/7', 'Invalid URL (POST /v1/chat/completions/7)'],
    ['GET', '//models', 'Invalid URL (GET /v1//models)'],
    ['GET', '/', 'Invalid URL (GET /v1/)'],
    ['GET', '', 'Invalid URL (GET /v1)'],
    ['GET', 'models', 'Invalid URL (GET /v1models)'],
  ])('%s %s is 404', async (method, path, message) => {
    const api = await openApi();
    expect(await errorOf(await api.fetch(path, { method }))).toEqual({
      status: 404,
      type: 'invalid_request_error',
      code: null,
      param: null,
      message: expect.stringContaining(`${message}. This API has /v1/`),
    });
  });
});

describe('a method that the path does not support', () => {
  test.each([
    ['POST', '/models', 'GET, HEAD, OPTIONS'],
    ['POST', `/models/${encodeURIComponent(MODEL)}`, 'GET, HEAD, DELETE, OPTIONS'],
    ['GET', '/chat/completions', 'POST, OPTIONS'],
    ['PUT', '/completions', 'POST, OPTIONS'],
  ])('%s %s is 405 and names those it supports', async (method, path, allow) => {
    const api = await openApi();
    const response = await api.fetch(path, { method });
    expect(response.headers.get('allow')).toBe(allow);
    expect(await errorOf(response)).toMatchObject({
      status: 405,
      type: 'invalid_request_error',
      code: 'method_not_supported',
      param: null,
    });
  });
});

describe('HEAD', () => {
  test('answers as GET does, without the body', async () => {
    const api = await openApi();
    const response = await api.fetch('/models', { method: 'HEAD' });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.body).toBeNull();
  });

  test.each([
    ['/models/nobody%2Fnothing', 404],
    ['/chat/completions', 405],
    ['/x', 404],
  ])('of %s is %i without a body', async (path, status) => {
    const api = await openApi();
    const response = await api.fetch(path, { method: 'HEAD' });
    expect(response.status).toBe(status);
    expect(response.body).toBeNull();
  });
});

test.each(['/models', '/chat/completions'])('OPTIONS %s is 204 and needs no key', async (path) => {
  const api = await openApi();
  const response = await api.fetch(path, { method: 'OPTIONS', headers: {} });
  expect(response.status).toBe(204);
  expect(response.body).toBeNull();
});

test('every answer has an x-request-id of its own', async () => {
  const api = await openApi();
  api.engine.next(serverError('engine_error', 'No.'));
  const responses = await Promise.all([
    api.post('/chat/completions', CHAT),
    api.post('/chat/completions', CHAT),
    api.post('/chat/completions', { ...CHAT, stream: true }),
    api.fetch('/models'),
    api.fetch('/models', { method: 'HEAD' }),
    api.fetch('/models', { method: 'OPTIONS' }),
    api.fetch('/models', { method: 'PUT' }),
    api.fetch('/models', { headers: {} }),
    api.fetch('/x'),
    api.post('/completions', '{'),
  ]);
  const ids = responses.map(({ headers }) => headers.get('x-request-id'));
  for (const id of ids) expect(id).toMatch(/^req_[0-9a-f]{32}$/);
  expect(new Set(ids).size).toBe(ids.length);
});

describe('under a sub-path', () => {
  test('every route works', async () => {
    const api = await openApi({ root: '/repo/' });
    const client = api.client();
    expect(client.baseURL).toBe(`${ORIGIN}/repo/v1`);
    expect((await client.models.retrieve(MODEL)).id).toBe(MODEL);
    expect((await api.post('/chat/completions', CHAT)).status).toBe(200);
    expect((await api.post('/completions', { model: MODEL, prompt: 'Hi' })).status).toBe(200);
  });

  test('the error names a wrong path below it', async () => {
    const api = await openApi({ root: '/repo/' });
    const { error } = await json<{ error: unknown }>(await api.post('/x', {}));
    expect(error).toMatchObject({ message: expect.stringContaining('Invalid URL (POST /v1/x)') });
  });
});

describe('beside the API', () => {
  test('the health path answers without a key, with a header that no other server sends', async () => {
    const api = await openApi({ root: '/repo/' });
    const response = await api.app(new Request(`${ORIGIN}/repo/${HEALTH_PATH}`));
    expect(response.status).toBe(204);
    expect(response.headers.get(HEALTH_HEADER)).toBe(PROTOCOL);
    expect(response.headers.get(VERSION_HEADER)).toBe(VERSION);
  });

  test('a navigation is refused with 403 in the shape of every error', async () => {
    expect(await errorOf(navigationRefused())).toMatchObject({
      status: 403,
      type: 'invalid_request_error',
      param: null,
      code: null,
    });
  });
});
