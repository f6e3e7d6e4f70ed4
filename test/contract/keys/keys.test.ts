import { describe, expect, test } from 'vitest';
import { createKey } from '../../../src/core/keys/key-format.ts';
import { MODEL, openApi } from '../support/api.ts';
import { errorOf } from '../support/read.ts';

const ENDPOINTS = [
  ['GET', '/models'],
  ['GET', `/models/${encodeURIComponent(MODEL)}`],
  ['POST', '/chat/completions'],
  ['POST', '/completions'],
] as const;

const UNAUTHORISED = {
  status: 401,
  type: 'invalid_request_error',
  code: 'invalid_api_key',
  param: null,
};

describe.each(ENDPOINTS)('%s %s', (method, path) => {
  test('without a key is 401', async () => {
    const api = await openApi();
    const response = await api.fetch(path, { method, headers: {} });
    expect(await errorOf(response)).toMatchObject(UNAUTHORISED);
  });

  test('with an unknown key is 401', async () => {
    const api = await openApi();
    const headers = { authorization: `Bearer ${createKey()}` };
    const response = await api.fetch(path, { method, headers });
    expect(await errorOf(response)).toMatchObject(UNAUTHORISED);
  });

  test('with a revoked key is 401', async () => {
    const api = await openApi();
    await api.keys.revoke(api.key);
    expect(await errorOf(await api.fetch(path, { method }))).toMatchObject(UNAUTHORISED);
  });
});

describe('the Authorization header', () => {
  test.each([
    ['no scheme', (key: string) => key],
    ['another scheme', (key: string) => `Basic ${key}`],
    ['no key', () => 'Bearer '],
    ['a key of another kind', () => 'Bearer sk-proj-abcdef'],
    ['a key with something added', (key: string) => `Bearer ${key}x`],
    ['a key cut short', (key: string) => `Bearer ${key.slice(0, -1)}`],
    ['two keys', (key: string) => `Bearer ${key} ${key}`],
    ['the hash that is stored of the key', () => `Bearer ${'0'.repeat(64)}`],
  ])('with %s is 401', async (_what, header) => {
    const api = await openApi();
    const headers = { authorization: header(api.key) };
    const error = await errorOf(await api.fetch('/models', { headers }));
    expect(error).toMatchObject(UNAUTHORISED);
    expect(error.message).not.toContain(api.key);
  });

  test.each(['bearer', 'BEARER', 'Bearer  '])('may write its scheme "%s"', async (scheme) => {
    const api = await openApi();
    const headers = { authorization: `${scheme} ${api.key}` };
    expect((await api.fetch('/models', { headers })).status).toBe(200);
  });
});

test('a bad key is reported before a bad body', async () => {
  const api = await openApi();
  const response = await api.post('/chat/completions', '{', { headers: {} });
  expect(response.status).toBe(401);
});

test('a key that has just been used is refused once it is revoked, and other keys are judged by themselves', async () => {
  const api = await openApi();
  const other = createKey();
  const authorization = `Bearer ${other}`;
  expect((await api.fetch('/models')).status).toBe(200);
  expect((await api.fetch('/models', { headers: { authorization } })).status).toBe(401);
  expect((await api.fetch('/models')).status).toBe(200);
  await api.keys.add(other, { label: 'other' });
  await api.keys.revoke(api.key);
  expect((await api.fetch('/models')).status).toBe(401);
  expect((await api.fetch('/models', { headers: { authorization } })).status).toBe(200);
});

test('a key works again after it was added again', async () => {
  const api = await openApi();
  await api.keys.revoke(api.key);
  await api.keys.add(api.key, { label: 'again' });
  expect((await api.fetch('/models')).status).toBe(200);
});

test('the engine gets the id of the request’s key, never the key', async () => {
  const api = await openApi();
  const other = createKey();
  const { id } = await api.keys.add(other, { label: 'other' });
  const messages = [{ role: 'user', content: 'Hi' }];
  await api.post('/chat/completions', { model: MODEL, messages });
  const headers = { authorization: `Bearer ${other}` };
  await api.post('/completions', { model: MODEL, prompt: 'Hi' }, { headers });
  const [first, second] = api.engine.runs.map(({ job }) => job);
  expect(second?.client).toBe(id);
  expect(first?.client).not.toBe(id);
  expect(JSON.stringify([first, second])).not.toMatch(/sk-/);
});
