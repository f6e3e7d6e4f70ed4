import { expect, test } from 'vitest';
import { createKey } from '../../../src/core/keys/key-format.ts';
import {
  openApi,
  UNINSTALLED_MODEL,
  UNINSTALLED_SPEECH_MODEL,
  type TestApi,
} from '../support/api.ts';

const BODY = { model: UNINSTALLED_MODEL, messages: [{ role: 'user', content: 'Hi' }] };

async function withKey({ fetch, keys }: TestApi, autoInstall: boolean) {
  const key = createKey();
  await keys.add(key, { label: 'app', ...(autoInstall && { autoInstall }) });
  return (path: string, body: object) =>
    fetch(path, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
}

test('a model that is known but not installed is 404, and the message says how to install it', async () => {
  const api = await openApi();
  const response = await (await withKey(api, false))('/chat/completions', BODY);
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({
    error: {
      code: 'model_not_found',
      param: 'model',
      message: expect.stringContaining(`models.install('${UNINSTALLED_MODEL}')`),
    },
  });
  expect(api.engine.runs).toEqual([]);
});

test('with a key that may install, the engine is asked to wait for it', async () => {
  const api = await openApi();
  const post = await withKey(api, true);
  expect((await post('/chat/completions', BODY)).status).toBe(200);
  const { model, messages } = BODY;
  expect((await post('/completions', { model, prompt: messages[0]?.content })).status).toBe(200);
  const jobs = api.engine.runs.map(({ job }) => job);
  expect(jobs).toMatchObject([{ autoInstall: true }, { autoInstall: true }]);
});

test('the same holds for a voice', async () => {
  const api = await openApi();
  const body = { model: UNINSTALLED_SPEECH_MODEL, voice: 'ann', input: 'Hi' };
  expect((await (await withKey(api, false))('/audio/speech', body)).status).toBe(404);
  expect((await (await withKey(api, true))('/audio/speech', body)).status).toBe(200);
  expect(api.engine.speeches.map(({ job }) => job)).toMatchObject([{ autoInstall: true }]);
});

test('a model that the catalog does not know stays unknown', async () => {
  const api = await openApi();
  const post = await withKey(api, true);
  const response = await post('/chat/completions', { ...BODY, model: 'nobody/nothing' });
  expect(response.status).toBe(404);
  expect(await response.text()).toContain('models.add()');
});
