import { expect, describe, test } from 'vitest';
import { createKey } from '../../../src/core/keys/key-format.ts';
import { holdWebLock } from '../../../src/core/port/web-lock.ts';
import { MODEL, openApi, UNINSTALLED_MODEL } from '../support/api.ts';
import { dataOf, errorOf, json } from '../support/read.ts';
import { apiError } from '../support/test-engine.ts';

/** An API, and a key that may manage models. */
async function open(rights: { models?: string[] } = {}) {
  const api = await openApi();
  const key = createKey();
  await api.keys.add(key, { label: 'manager', manageModels: true, ...rights });
  const ask = (method: string, path: string, body?: object) =>
    api.fetch(`/models/${path}`, {
      method,
      headers: { authorization: `Bearer ${key}` },
      ...(body && { body: JSON.stringify(body) }),
    });
  return { ...api, ask };
}

describe('a model', () => {
  test.each([
    ['load', MODEL, { status: 'loaded' }],
    ['unload', MODEL, { status: 'unloaded' }],
    ['install', UNINSTALLED_MODEL, { status: 'installed' }],
  ])('can be told to %s', async (verb, model, status) => {
    const { ask, engine } = await open();
    const response = await ask('POST', `${model}/${verb}`);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ id: model, object: 'model', ...status });
    expect(engine.managed).toEqual([`${verb} ${model}`]);
  });

  test('can be loaded with a context of another length', async () => {
    const { ask, engine } = await open();
    const load = (context_length: unknown) => ask('POST', `${MODEL}/load`, { context_length });
    expect((await load(4096)).status).toBe(200);
    expect((await load(null)).status).toBe(200);
    expect(engine.managed).toEqual([`load ${MODEL} 4096`, `load ${MODEL}`]);
    for (const wrong of [0, -1, 2.5, '4096', [4096], true]) {
      const { status, param } = await errorOf(await load(wrong));
      expect([wrong, status, param]).toEqual([wrong, 400, 'context_length']);
    }
    expect(engine.managed).toHaveLength(2);
  });

  test('can be loaded with another KV cache', async () => {
    const { ask, engine } = await open();
    const load = (kv_cache_type: unknown) => ask('POST', `${MODEL}/load`, { kv_cache_type });
    expect((await load('q8_0')).status).toBe(200);
    expect((await load(null)).status).toBe(200);
    expect(engine.managed).toEqual([`load ${MODEL} q8_0`, `load ${MODEL}`]);
    for (const wrong of [8, ['q8_0'], true]) {
      const { status, param } = await errorOf(await load(wrong));
      expect([wrong, status, param]).toEqual([wrong, 400, 'kv_cache_type']);
    }
    engine.managingFails = apiError(400, 'invalid_request_error', 'wrong', {
      param: 'kv_cache_type',
    });
    expect(await errorOf(await load('q8_0'))).toMatchObject({
      status: 400,
      param: 'kv_cache_type',
    });
  });

  test('can be removed, and its id may be encoded', async () => {
    const { ask, engine } = await open();
    const response = await ask('DELETE', encodeURIComponent(MODEL));
    expect(await response.json()).toEqual({ id: MODEL, object: 'model', deleted: true });
    expect(engine.managed).toEqual([`remove ${MODEL}`]);
  });

  test('tells how far it is, as a stream of events', async () => {
    const { ask } = await open();
    const response = await ask('POST', `${UNINSTALLED_MODEL}/install`, { stream: true });
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const frames = await dataOf(response);
    expect(frames.pop()).toBe('[DONE]');
    const stages = frames.map((frame): unknown => JSON.parse(frame));
    expect(stages).toMatchObject([
      { object: 'model.progress', model: UNINSTALLED_MODEL, stage: 'download', loaded_bytes: 5 },
      { stage: 'installed', total_bytes: 10 },
    ]);
  });
});

describe('a failure', () => {
  test('has its status if it comes at once', async () => {
    const { ask, engine } = await open();
    engine.managingFails = apiError(500, 'server_error', 'storage_full');
    const response = await ask('POST', `${MODEL}/load`);
    expect(await errorOf(response)).toMatchObject({ status: 500, code: 'storage_full' });
  });

  test('ends a stream that has begun, without [DONE]', async () => {
    const { ask, engine } = await open();
    engine.managingFails = apiError(500, 'server_error', 'storage_full');
    const frames = await dataOf(await ask('POST', `${MODEL}/load`, { stream: true }));
    expect(JSON.parse(frames.at(-1) ?? '')).toMatchObject({ error: { code: 'storage_full' } });
  });
});

describe('who may not', () => {
  test('is a key without the right', async () => {
    const api = await openApi();
    const error = await errorOf(await api.post(`/models/${MODEL}/load`, {}));
    expect(error).toMatchObject({ status: 403, code: 'managing_not_allowed' });
    expect(api.engine.managed).toEqual([]);
  });

  test('is a key for other models', async () => {
    const { ask } = await open({ models: [UNINSTALLED_MODEL] });
    expect((await ask('POST', `${MODEL}/unload`)).status).toBe(403);
    expect((await ask('DELETE', MODEL)).status).toBe(403);
  });

  test('is nobody with the key of a page that has started', async () => {
    const api = await openApi();
    const key = createKey();
    const release = await holdWebLock('lock');
    await api.keys.addSession(key, { label: 'session', sessionLock: 'lock' });
    const headers = { authorization: `Bearer ${key}` };
    const response = await api.fetch(`/models/${MODEL}/load`, { method: 'POST', headers });
    expect(response.status).toBe(200);
    await release();
  });
});

test('an unknown model is 404, and a body that is no JSON object 400', async () => {
  const { ask } = await open();
  expect((await ask('POST', 'nobody/nothing/load')).status).toBe(404);
  const { error } = await json<{ error: { param: string } }>(
    await ask('POST', `${MODEL}/load`, { stream: 'yes' }),
  );
  expect(error.param).toBe('stream');
});
