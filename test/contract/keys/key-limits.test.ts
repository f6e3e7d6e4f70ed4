import { expect, test, vi } from 'vitest';
import { signUrl } from '../../../src/core/keys/signed-url.ts';
import { HUB_MODEL, MODEL, openApi, ORIGIN } from '../support/api.ts';
import { CHAT, limited } from '../support/limited-key.ts';
import { errorOf } from '../support/read.ts';
import { finish, text } from '../support/test-engine.ts';

test('a key for some endpoints may use these, what is below them, and the list of models', async () => {
  const api = await openApi();
  const { headers } = await limited(api, { endpoints: ['chat/completions'] });
  expect((await api.post('/chat/completions', CHAT, { headers })).status).toBe(200);
  expect((await api.post('/chat/completions/input_tokens', CHAT, { headers })).status).toBe(200);
  expect((await api.fetch('/models', { headers })).status).toBe(200);
  const refused = await api.post('/completions', { model: MODEL, prompt: 'Hi' }, { headers });
  expect(await errorOf(refused)).toMatchObject({
    status: 403,
    code: 'endpoint_not_allowed',
    type: 'invalid_request_error',
    message: expect.stringContaining("'completions'") as unknown,
  });
  for (const path of ['/metrics', '/audio/voices']) {
    expect((await api.fetch(path, { headers })).status).toBe(403);
  }
  expect(api.engine.runs).toHaveLength(1);
});

test('a key for chats may not load models, even if it may manage them', async () => {
  const api = await openApi();
  const { headers } = await limited(api, { endpoints: ['chat/completions'], manageModels: true });
  const path = `/models/${encodeURIComponent(MODEL)}/load`;
  const { status, code } = await errorOf(await api.fetch(path, { method: 'POST', headers }));
  expect([status, code]).toEqual([403, 'endpoint_not_allowed']);
});

test('a key for some models sees no others', async () => {
  const api = await openApi();
  const { headers } = await limited(api, { models: [MODEL] });
  const { data } = (await (await api.fetch('/models', { headers })).json()) as {
    data: { id: string }[];
  };
  expect(data.map(({ id }) => id)).toEqual([MODEL]);
  const other = await api.post('/chat/completions', { ...CHAT, model: HUB_MODEL }, { headers });
  expect((await errorOf(other)).code).toBe('model_not_allowed');
});

test('a key that has expired is refused, also in a signed URL', async () => {
  const api = await openApi();
  const { key, headers } = await limited(api, { expiresAt: Date.now() - 1_000 });
  const expired = { status: 401, code: 'api_key_expired' };
  expect(await errorOf(await api.fetch('/models', { headers }))).toMatchObject(expired);
  const url = await signUrl(new URL(`${ORIGIN}/v1/audio/speech?model=m&voice=v&input=Hi`), key);
  expect(await errorOf(await api.app(new Request(url)))).toMatchObject(expired);
  const later = await limited(api, { expiresAt: Date.now() + 60_000 });
  expect((await api.fetch('/models', { headers: later.headers })).status).toBe(200);
});

test('a key that is revoked while it answers stays revoked', async () => {
  const api = await openApi();
  const { key, headers, used } = await limited(api, { tokensPerDay: 100 });
  const gate = Promise.withResolvers<void>();
  api.engine.next(gate.promise, text('Hello'), finish());
  const answer = api.post('/chat/completions', CHAT, { headers });
  await vi.waitFor(() => expect(api.engine.runs).toHaveLength(1));
  await api.keys.revoke(key);
  gate.resolve();
  await (await answer).text();
  expect(await used()).toBeUndefined();
  expect((await api.fetch('/models', { headers })).status).toBe(401);
});

test('the last use of a key is noted', async () => {
  const api = await openApi();
  const { id, headers } = await limited(api, {});
  const lastUse = async () => (await api.keys.list()).find((key) => key.id === id)?.lastUsedAt;
  expect(await lastUse()).toBeUndefined();
  await api.fetch('/models', { headers });
  await vi.waitFor(async () => expect(await lastUse()).toBeGreaterThan(Date.now() - 5_000));
});
