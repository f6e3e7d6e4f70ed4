import { describe, expect, test, vi } from 'vitest';
import {
  EMBEDDER,
  HUB_MODEL,
  MODEL,
  openApi,
  RANKER,
  RECOGNISER,
  SPEECH_MODEL,
  UNINSTALLED_MODEL,
  type ApiEngine,
} from '../support/api.ts';
import { errorOf, json } from '../support/read.ts';
import { HANG } from '../support/test-engine.ts';

const PARAMETERS = [
  ...['temperature', 'top_p', 'top_k', 'min_p'],
  ...['frequency_penalty', 'presence_penalty', 'repetition_penalty'],
  ...['stop', 'seed', 'max_tokens', 'logit_bias', 'logprobs', 'top_logprobs'],
];

describe('GET /v1/models', () => {
  test('lists the models that can be used now, the site’s own first', async () => {
    const api = await openApi();
    const response = await api.fetch('/models');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    const body = await json<{ object: string; data: { id: string }[] }>(response);
    expect(body.object).toBe('list');
    expect(body.data.map(({ id }) => id)).toEqual([
      MODEL,
      HUB_MODEL,
      EMBEDDER,
      RANKER,
      RECOGNISER,
      SPEECH_MODEL,
    ]);
  });

  test('describes a model with every field of the specification', async () => {
    const api = await openApi();
    const response = await api.fetch('/models');
    const [entry] = (await json<{ data: unknown[] }>(response)).data;
    expect(entry).toEqual({
      id: MODEL,
      object: 'model',
      created: 1_700_000_000,
      // The names that Anthropic's clients read.
      type: 'model',
      display_name: MODEL,
      created_at: '2023-11-14T22:13:20.000Z',
      owned_by: 'slashv1',
      context_length: 2048,
      max_output_length: 2048,
      input_modalities: ['text'],
      output_modalities: ['text'],
      supported_sampling_parameters: PARAMETERS,
      supported_features: ['tools', 'json_mode', 'structured_outputs', 'logprobs'],
      pricing: {
        input: '0',
        output: '0',
        cache_read: '0',
        image: '0',
        request: '0',
        prompt: '0',
        completion: '0',
      },
      quantization: 'int4',
      hugging_face_id: MODEL,
    });
  });

  test('describes a speech model, with its voices', async () => {
    const api = await openApi();
    const entry = await json(await api.fetch(`/models/${encodeURIComponent(SPEECH_MODEL)}`));
    expect(entry).toMatchObject({
      id: SPEECH_MODEL,
      quantization: 'int8',
      input_modalities: ['text'],
      output_modalities: ['speech'],
      supported_sampling_parameters: [],
      supported_features: [],
    });
    expect(entry).toHaveProperty('voices[1]', {
      id: 'bob',
      name: 'Bob',
      languages: ['en-GB'],
      gender: 'male',
    });
  });

  test('leaves out what this device cannot run, once an engine has found that out', async () => {
    const api = await openApi();
    await api.device.put({ gpu: 'none' });
    const { data } = await json<{ data: { id: string }[] }>(await api.fetch('/models'));
    expect(data.map(({ id }) => id)).toEqual([EMBEDDER, RANKER, RECOGNISER, SPEECH_MODEL]);
  });

  test('shows a key only the models it may use', async () => {
    const api = await openApi();
    await api.keys.add(api.key, { label: 'narrow', models: [HUB_MODEL] });
    const page = await api.client().models.list();
    expect(page.data.map(({ id }) => id)).toEqual([HUB_MODEL]);
  });

  test('accepts a slash at the end of the path', async () => {
    const api = await openApi();
    expect((await api.fetch('/models/')).status).toBe(200);
  });

  test('ignores a query', async () => {
    const api = await openApi();
    expect((await api.fetch('/models?limit=20')).status).toBe(200);
  });
});

test('models are listed while the engine is held and answers nothing', async () => {
  const asked: string[] = [];
  const held: ApiEngine = {
    run({ op }) {
      asked.push(op);
      return HANG;
    },
  };
  const api = await openApi({ via: () => held });
  const chat = { model: MODEL, messages: [{ role: 'user', content: 'Hi' }], stream: true };
  const hanging = new AbortController();
  const answer = api.post('/chat/completions', chat, { signal: hanging.signal });
  answer.catch(() => undefined);
  await vi.waitFor(() => expect(asked).toEqual(['generate']));
  expect((await api.fetch('/models')).status).toBe(200);
  expect((await api.fetch(`/models/${encodeURIComponent(MODEL)}`)).status).toBe(200);
  expect(asked).toEqual(['generate']);
  hanging.abort();
});

describe('GET /v1/models/{id}', () => {
  test('the openai package finds a model whose id has a slash, which it percent-encodes', async () => {
    const api = await openApi();
    expect(await api.client().models.retrieve(MODEL)).toMatchObject({ id: MODEL, object: 'model' });
  });

  test('an id with an unencoded slash means the same', async () => {
    const api = await openApi();
    const response = await api.fetch(`/models/${MODEL}`);
    expect(await json<{ id: string }>(response)).toMatchObject({ id: MODEL });
  });

  test.each([UNINSTALLED_MODEL, 'nobody/nothing'])('%s is 404: not here', async (id) => {
    const api = await openApi();
    const error = await errorOf(await api.fetch(`/models/${encodeURIComponent(id)}`));
    expect(error).toMatchObject({ status: 404, code: 'model_not_found', param: 'model' });
    expect(error.message).toContain(id);
  });

  test('a model the key may not use is 403', async () => {
    const api = await openApi();
    await api.keys.add(api.key, { label: 'narrow', models: [HUB_MODEL] });
    const error = await errorOf(await api.fetch(`/models/${encodeURIComponent(MODEL)}`));
    expect(error).toMatchObject({ status: 403, code: 'model_not_allowed', param: 'model' });
  });

  test('an id that is not valid percent-encoding is 400', async () => {
    const api = await openApi();
    expect(await errorOf(await api.fetch('/models/%E0%A4%A'))).toMatchObject({
      status: 400,
      type: 'invalid_request_error',
    });
  });
});
