import OpenAI from 'openai';
import { beforeEach, expect, test, vi } from 'vitest';
import { readInterception } from '../../../src/core/realms/interception.ts';
import type { InterceptOptions } from '../../../src/core/realms/interception.ts';
import { createInterceptor, type Interceptor } from '../../../sw/interceptor.ts';
import {
  EMBEDDER,
  HUB_MODEL,
  MODEL,
  openApi,
  ORIGIN,
  RECOGNISER,
  type TestApi,
} from '../support/api.ts';
import { browserFetch } from '../support/browser-fetch.ts';
import { errorOf } from '../support/read.ts';
import { HANG, text } from '../support/test-engine.ts';

const OPENAI = 'https://api.openai.com/v1';
const HELLO = [{ role: 'user' as const, content: 'Hi' }];
const SITE = new URL(`${ORIGIN}/`);

let api: TestApi;
let find: Interceptor;
/** Addresses that would have left the device. */
let sent: string[];

beforeEach(async () => {
  api = await openApi();
  sent = [];
  intercept([OPENAI]);
});

function intercept(services: string[], options: InterceptOptions = {}): void {
  find = createInterceptor(readInterception(services, options, SITE), SITE, api.options);
}

/** `fetch` of a page that the service worker controls. */
const pageFetch = browserFetch((request) => {
  const answer = find(new URL(request.url));
  if (answer) return answer(request);
  sent.push(request.url);
  return Promise.resolve(new Response('network'));
});

function openai(apiKey = 'sk-proj-of-the-service'): OpenAI {
  return new OpenAI({ apiKey, fetch: pageFetch, maxRetries: 0, dangerouslyAllowBrowser: true });
}

test('the openai package with its own base URL and key is answered, streamed and whole', async () => {
  const client = openai();
  expect(client.baseURL).toBe(OPENAI);
  const request = { model: 'gpt-4o-mini', messages: HELLO };
  const whole = await client.chat.completions.create(request);
  expect([whole.model, whole.choices[0]?.message.content]).toEqual([MODEL, 'Hello there']);
  const stream = await client.chat.completions.create({ ...request, stream: true });
  const pieces = (await Array.fromAsync(stream)).map(
    ({ choices }) => choices[0]?.delta.content ?? '',
  );
  expect(pieces.join('')).toBe('Hello there');
  const response = await client.responses.create({ model: 'gpt-5', input: 'Hi' });
  expect(response.output_text).toBe('Hello there');
  expect(sent).toEqual([]);
});

test('modelMap names the models; other names go to the default model, known ids to themselves', async () => {
  const modelMap = { 'gpt-4o': HUB_MODEL, 'text-embedding-3-small': EMBEDDER, gone: 'no/model' };
  intercept([OPENAI], { model: MODEL, modelMap });
  const asked = async (model: string) => {
    await openai().chat.completions.create({ model, messages: HELLO });
    const { job } = api.engine.last;
    return 'model' in job && job.model;
  };
  expect(await asked('gpt-4o')).toBe(HUB_MODEL);
  expect(await asked('gpt-4')).toBe(MODEL);
  expect(await asked('constructor')).toBe(MODEL);
  expect(await asked(HUB_MODEL)).toBe(HUB_MODEL);
  const input = { model: 'text-embedding-3-small', input: 'Hi' };
  expect((await openai().embeddings.create(input)).data[0]?.embedding).toHaveLength(4);
  await expect(
    openai().chat.completions.create({ model: 'gone', messages: HELLO }),
  ).rejects.toMatchObject({ status: 404, code: 'model_not_found' });
  expect((await openai().models.retrieve('gpt-4o')).id).toBe(HUB_MODEL);
});

test('a model for something else is refused with a message that names the right ones', async () => {
  await expect(
    openai().embeddings.create({ model: 'text-embedding-3-small', input: 'Hi' }),
  ).rejects.toMatchObject({ status: 400, message: expect.stringContaining(EMBEDDER) });
});

test.each([
  ['images', () => openai().images.generate({ prompt: 'a cat' })],
  ['batches', () => openai().batches.list()],
  ['moderations', () => openai().moderations.create({ input: 'Hi' })],
])('an endpoint that is not served fails with the error of the API: %s', async (_, ask) => {
  await expect(ask()).rejects.toMatchObject({
    status: 404,
    type: 'invalid_request_error',
    message: expect.stringContaining('Invalid URL'),
  });
  expect(sent).toEqual([]);
});

test.each([
  [`${OPENAI}/`, 404],
  [OPENAI, 404],
  [`${OPENAI}/models/`, 200],
  [`${OPENAI}/models?limit=1#top`, 200],
  ['https://API.OpenAI.com:443/v1/models', 200],
  [`${OPENAI}/%6dodels`, 404],
  [`${OPENAI}//models`, 404],
  [`${OPENAI}/../x`, 404],
  [`${OPENAI}/%2e%2e/x`, 404],
  ['https://api.openai.com/v1beta/models', 404],
  ['https://api.openai.com/V1/models', 404],
  ['https://api.openai.com/', 404],
  ['https://api.openai.com:8443/v1/models', 404],
  ['http://api.openai.com/v1/models', 404],
  ['https://api.openai.com./v1/models', 404],
])('%s is answered here, with %i', async (address, status) => {
  const response = await pageFetch(address);
  expect([response.status, sent]).toEqual([status, []]);
  if (status !== 200) expect(await errorOf(response)).toMatchObject({ status: 404 });
});

test.each([
  'https://openai.com/v1/models',
  'https://eu.api.openai.com/v1/models',
  'https://api.openai.com.example/v1/models',
  `${ORIGIN}/app/`,
])('%s is none of the service', async (address) => {
  await pageFetch(address);
  expect(sent).toEqual([address]);
});

test.each(['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'])('%s is answered here', async (method) => {
  const { status } = await pageFetch(`${OPENAI}/chat/completions`, { method });
  expect([method, status, sent]).toEqual([method, method === 'OPTIONS' ? 204 : 405, []]);
});

test('on the host of the site, only the origin or the folder of the service is closed', async () => {
  intercept(['http://localhost:11434/v1', `${ORIGIN}/proxy/openai`], {});
  const status = async (address: string) => (await pageFetch(address)).status;
  expect(await status('http://localhost:11434/v1/models')).toBe(200);
  expect(await status('http://localhost:11434/api/tags')).toBe(404);
  expect(await status(`${ORIGIN}/proxy/openai/models`)).toBe(200);
  expect(sent).toEqual([]);
  await pageFetch('http://localhost:3000/v1/models');
  await pageFetch(`${ORIGIN}/proxy/users`);
  expect(sent).toEqual(['http://localhost:3000/v1/models', `${ORIGIN}/proxy/users`]);
});

test('a base without a path has the endpoints of v1', async () => {
  intercept(['https://llm.example']);
  expect((await pageFetch('https://llm.example/models')).status).toBe(200);
  expect((await pageFetch('https://llm.example/v1/models')).status).toBe(404);
});

test('no key, any key, and a key in the wrong header are accepted, and none may manage models', async () => {
  const keys = [
    {},
    { authorization: 'Basic x' },
    { 'x-api-key': 'y' },
    { authorization: 'Bearer' },
  ];
  for (const headers of keys) {
    expect((await pageFetch(`${OPENAI}/models`, { headers })).status).toBe(200);
    const address = `${OPENAI}/models/${MODEL}`;
    expect((await pageFetch(address, { method: 'DELETE', headers })).status).toBe(403);
  }
  expect((await api.keys.list()).map(({ label }) => label)).toEqual(['test']);
});

test('a form is answered if its model hears, and else refused, not sent', async () => {
  const form = new FormData();
  form.append('file', new Blob(['abc']), 'a.wav');
  const body = { method: 'POST', body: form };
  expect((await pageFetch(`${OPENAI}/images/edits`, body)).status).toBe(404);
  form.append('model', 'whisper-1');
  expect((await pageFetch(`${OPENAI}/audio/transcriptions`, body)).status).toBe(400);
  expect((await pageFetch(`${OPENAI}/chat/completions`, body)).status).toBe(400);
  intercept([OPENAI], { modelMap: { 'whisper-1': RECOGNISER } });
  const heard = await pageFetch(`${OPENAI}/audio/transcriptions`, body);
  expect(await heard.json()).toMatchObject({ text: 'Hello there.' });
  expect(sent).toEqual([]);
});

test('a client that hangs up ends the run', async () => {
  api.engine.next(text('one'), HANG);
  const stream = await openai().chat.completions.create({
    model: 'gpt-4o-mini',
    messages: HELLO,
    stream: true,
  });
  await stream[Symbol.asyncIterator]().next();
  stream.controller.abort();
  await vi.waitFor(() => expect(api.engine.last.ended).toBe(true));
});

test.each([
  [['api.openai.com/v1'], 'http or https'],
  [['ftp://x/v1'], 'http or https'],
  [['https://user:secret@x/v1'], 'http or https'],
  [['https://x/v1?api-version=1'], 'http or https'],
  [[`${ORIGIN}/v1`], 'slashv1 is there itself'],
  [[`${ORIGIN}/v1/chat`], 'slashv1 is there itself'],
  [[`${ORIGIN}/`], 'slashv1 is there itself'],
  ['https://x/v1' as unknown as string[], 'a list'],
])('%j is refused', (services, message) => {
  expect(() => readInterception(services, {}, SITE)).toThrow(message);
});

test('a modelMap that maps to no ids is refused', () => {
  const modelMap = { a: 1 } as unknown as Record<string, string>;
  expect(() => readInterception([OPENAI], { modelMap }, SITE)).toThrow('modelMap');
});
