import { gzipSync } from 'node:zlib';
import type OpenAI from 'openai';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ApiRequest } from '../../../src/core/realms/api-request.ts';
import { promptTooLong } from '../../../src/core/errors/errors.ts';
import { watchRequests } from '../../../src/page/api/requests.ts';
import { EMBEDDER, MODEL, ORIGIN, RECOGNISER, UNINSTALLED_MODEL } from '../support/api.ts';
import { BIG, openForwardingApi, SECRET, type ForwardingApi } from '../upstreams/forwarding-api.ts';
import { apiError, finish, text } from '../support/test-engine.ts';

const HELLO = [{ role: 'user' as const, content: 'Hi' }];
const HERE = `device:${MODEL}`;
const THERE = `cluster:${BIG}`;

let site: ForwardingApi;

beforeEach(async () => {
  site = await openForwardingApi();
});

afterEach(() => site.cluster.close());

/** Where a chat with the route was answered, or the error's status, code and message. */
async function chat(openai: OpenAI, content = 'Hi', model = 'assistant'): Promise<unknown[]> {
  const messages = [{ role: 'user' as const, content }];
  try {
    const asked = openai.chat.completions.create({ model, messages });
    const { response } = await asked.withResponse();
    return [response.headers.get('x-slashv1-served-by')];
  } catch (error) {
    const { status, code, message } = error as { status: number; code: string; message: string };
    for (const secret of ['127.0.0.1', SECRET, 'sk-slashv1']) expect(message).not.toContain(secret);
    return [status, code, message];
  }
}

const AT_CLUSTER = ['upstream; name=cluster'];
const ON_DEVICE = ['device'];

test('the first entry that can serve the request does', async () => {
  const openai = await site.routing({ assistant: [HERE, THERE], big: [THERE, HERE] });
  expect(await chat(openai)).toEqual(ON_DEVICE);
  expect(site.api.engine.last.job.model).toBe(MODEL);
  expect(site.forwarded()).toEqual([]);
  expect(await chat(openai, 'Hi', 'big')).toEqual(AT_CLUSTER);
  expect(JSON.parse(String(site.forwarded()[0]?.body))).toEqual({ model: BIG, messages: HELLO });
});

test('an answer of the device names its own model, in each API', async () => {
  const openai = await site.routing({ assistant: [HERE] });
  const chatted = await openai.chat.completions.create({ model: 'assistant', messages: HELLO });
  expect(chatted.model).toBe(MODEL);
  const responded = await openai.responses.create({ model: 'assistant', input: 'Hi' });
  expect(responded.model).toBe(MODEL);
  const streamed = await openai.completions.create({
    model: 'assistant',
    prompt: 'a',
    stream: true,
  });
  const chunks = await Array.fromAsync(streamed);
  expect(new Set(chunks.map(({ model }) => model))).toEqual(new Set([MODEL]));
});

test('what is not installed, and what cannot do this, is passed over', async () => {
  const openai = await site.routing({
    assistant: [`device:${UNINSTALLED_MODEL}`, `device:o/unknown`, `device:${EMBEDDER}`, THERE],
  });
  expect(await chat(openai)).toEqual(AT_CLUSTER);
  const embedded = await openai.embeddings
    .create({ model: 'assistant', input: 'x', encoding_format: 'float' })
    .withResponse();
  expect(embedded.response.headers.get('x-slashv1-served-by')).toBe('device');
});

test('a model that this device cannot run is passed over', async () => {
  await site.api.device.put({ gpu: 'none' });
  const openai = await site.routing({ assistant: [HERE, THERE] });
  expect(await chat(openai)).toEqual(AT_CLUSTER);
  expect(site.api.engine.runs).toEqual([]);
});

test('a prompt that does not fit goes on; one that does stays', async () => {
  const openai = await site.routing({ assistant: [HERE, THERE] });
  expect(await chat(openai, 'x'.repeat(2_040))).toEqual(ON_DEVICE);
  expect(await chat(openai, 'x'.repeat(2_100))).toEqual(AT_CLUSTER);
  const input = 'x'.repeat(2_100);
  await openai.responses.create({ model: 'assistant', input });
  expect(site.forwarded()).toHaveLength(2);
  expect(site.api.engine.runs).toHaveLength(1);
});

test('what the engine refuses before its answer begins goes on; what it has begun does not', async () => {
  const openai = await site.routing({ assistant: [HERE, THERE] });
  site.api.engine.next(promptTooLong(9, 8));
  expect(await chat(openai)).toEqual(AT_CLUSTER);
  site.api.engine.next(apiError(500, 'server_error', 'out_of_memory'));
  expect(await chat(openai)).toEqual(AT_CLUSTER);
  site.api.engine.next(apiError(500, 'server_error', 'engine_error', { retryable: false }));
  expect(await chat(openai)).toEqual([500, 'engine_error', '500 It is engine_error.']);
  site.api.engine.next(text('Hel'), apiError(500, 'server_error', 'out_of_memory'));
  const stream = await openai.chat.completions.create({
    model: 'assistant',
    messages: HELLO,
    stream: true,
  });
  await expect(Array.fromAsync(stream)).rejects.toMatchObject({ code: 'out_of_memory' });
  expect(site.forwarded()).toHaveLength(2);
});

test('a queue that is full is passed over, also by requests of the same moment', async () => {
  const openai = await site.routing({ assistant: [{ to: HERE, maxQueue: 2 }, THERE] });
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  site.api.engine.always(held, text('Late.'), finish());
  const asked = [1, 2, 3, 4].map(() => chat(openai));
  await vi.waitFor(() => expect(site.forwarded()).toHaveLength(2));
  expect(await chat(openai)).toEqual(AT_CLUSTER);
  release();
  expect(await Promise.all(asked)).toEqual(expect.arrayContaining([ON_DEVICE, AT_CLUSTER]));
  expect(site.api.engine.runs).toHaveLength(2);
  expect(await chat(openai)).toEqual(ON_DEVICE);
});

test('requests that did not come by the route are in the queue, too', async () => {
  const openai = await site.routing({ assistant: [{ to: HERE, maxQueue: 1 }, THERE] });
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  site.api.engine.next(text('Be'), held, text('gun.'), finish());
  const other = site.api.post('/chat/completions', { model: MODEL, messages: HELLO, stream: true });
  const { body } = await other;
  expect(await chat(openai)).toEqual(AT_CLUSTER);
  release();
  await new Response(body).text();
  expect(await chat(openai)).toEqual(ON_DEVICE);
});

test('an upstream that is down or does not list the model is passed over', async () => {
  const openai = await site.routing({
    a: ['cluster:meta-llama/None', HERE],
    assistant: [THERE, HERE],
  });
  expect(await chat(openai, 'Hi', 'a')).toEqual(ON_DEVICE);
  await site.cluster.close();
  expect(await chat(openai)).toEqual(ON_DEVICE);
});

test('its own errors are answers', async () => {
  const openai = await site.routing({ assistant: [THERE, HERE] });
  site.cluster.answer = (response) => void response.writeHead(429).end('{"error":{"code":"full"}}');
  expect(await chat(openai)).toEqual([429, 'full', expect.anything()]);
});

test('if none can, the error says why for each', async () => {
  const openai = await site.routing(
    { assistant: [`device:${UNINSTALLED_MODEL}`, THERE], small: [{ to: HERE, maxQueue: 1 }] },
    { upstream: { endpoints: ['embeddings'] } },
  );
  const [status, code, message] = await chat(openai);
  expect([status, code]).toEqual([400, 'route_unavailable']);
  expect(message).toContain(
    `the route 'assistant' can serve this request. device:${UNINSTALLED_MODEL}: The model`,
  );
  expect(message).toContain(`${THERE}: It gets no requests to this endpoint.`);
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  site.api.engine.next(held, finish());
  const first = chat(openai, 'Hi', 'small');
  await vi.waitFor(() => expect(site.api.engine.runs).toHaveLength(1));
  expect(await chat(openai, 'Hi', 'small')).toEqual([
    ...[503, 'route_unavailable', expect.stringContaining('Its queue is too long: 1.')],
  ]);
  release();
  expect(await first).toEqual(ON_DEVICE);
});

test('a key that stays on the device never goes to the cluster', async () => {
  const openai = await site.routing(
    { assistant: [THERE, HERE], far: [THERE] },
    { staysHere: true },
  );
  expect(await chat(openai)).toEqual(ON_DEVICE);
  expect(await chat(openai, 'Hi', 'far')).toEqual([
    ...[400, 'route_unavailable', expect.stringContaining('stay on the device')],
  ]);
  expect(site.cluster.requests).toEqual([]);
});

test('a key with models needs the route among them, and nothing that it leads to', async () => {
  const routes = { assistant: [HERE, THERE], other: [HERE] };
  const openai = await site.routing(routes, { models: ['assistant'] });
  expect(await chat(openai)).toEqual(ON_DEVICE);
  expect(await chat(openai, 'Hi', MODEL)).toEqual([403, 'model_not_allowed', expect.anything()]);
  expect(await chat(openai, 'Hi', 'other')).toEqual([403, 'model_not_allowed', expect.anything()]);
  expect((await openai.models.list()).data.map(({ id }) => id)).toEqual(['assistant']);
});

test('the list has the routes with what they lead to, in the place of a model of this name', async () => {
  const openai = await site.routing({
    assistant: [{ to: HERE, maxQueue: 3 }, THERE],
    [MODEL]: [HERE, THERE],
  });
  const all = (await openai.models.list()).data;
  expect(all.filter(({ id }) => id === MODEL)).toMatchObject([
    { object: 'model', routes_to: [{ to: HERE }, { to: THERE }] },
  ]);
  expect((await openai.models.retrieve('assistant')) as object).toMatchObject({
    routes_to: [{ to: HERE, max_queue: 3 }, { to: THERE }],
  });
  expect(await chat(openai, 'Hi', MODEL)).toEqual(ON_DEVICE);
  const load = { model: 'assistant' };
  const managed = await site.fetch(`${ORIGIN}/v1/models/assistant/load`, {
    method: 'POST',
    body: JSON.stringify(load),
    headers: { authorization: `Bearer ${openai.apiKey}` },
  });
  expect(managed.status).toBe(403);
});

test('only the model of a body is another: JSON, compressed JSON and forms', async () => {
  const openai = await site.routing({ assistant: [THERE], ears: [`device:${RECOGNISER}`] });
  const headers = { authorization: `Bearer ${openai.apiKey}`, 'content-type': 'application/json' };
  const send = (path: string, body: BodyInit, more: Record<string, string> = {}) =>
    site.fetch(`${ORIGIN}/v1/${path}`, { method: 'POST', body, headers: { ...headers, ...more } });
  const odd = (model: string) => `{ "model" : "${model}",\n"input":"ü", "unknown": 1.0 }`;
  await send('embeddings', odd('assistant'));
  await send('embeddings', gzipSync(odd('assistant')), { 'content-encoding': 'gzip' });
  const sentOn = site.forwarded().map(({ body }) => JSON.parse(String(body)) as unknown);
  const same = { model: BIG, input: 'ü', unknown: 1 };
  expect(sentOn).toEqual([same, same]);
  expect(site.forwarded()[1]?.headers['content-encoding']).toBeUndefined();
  const file = new File(['RIFF'], 'ü.wav', { type: 'audio/wav' });
  const form = (model: string) => {
    const made = new FormData();
    made.set('file', file);
    made.set('model', model);
    return made;
  };
  const upload = (model: string) =>
    site.fetch(`${ORIGIN}/v1/audio/transcriptions`, {
      method: 'POST',
      body: form(model),
      headers: { authorization: headers.authorization },
    });
  await upload('assistant');
  const { body, headers: sent } = site.forwarded()[2] ?? {};
  const type = String(sent?.['content-type']);
  const read = await new Response(new Uint8Array(body ?? []), {
    headers: { 'content-type': type },
  }).formData();
  expect(read.get('model')).toBe(BIG);
  expect((read.get('file') as File).name).toBe('ü.wav');
  expect((await upload('ears')).status).toBe(200);
});

test('who watches the requests sees the decision and why', async () => {
  const openai = await site.routing({ assistant: [`device:o/unknown`, HERE, THERE] });
  const seen: ApiRequest[] = [];
  const watching = new AbortController();
  await watchRequests(site.api.scope, watching.signal, (request) => seen.push(request));
  site.api.engine.next(promptTooLong(9, 8));
  await chat(openai);
  await vi.waitFor(() => expect(seen.at(-1)?.durationMs).toBeDefined());
  expect(seen.at(-1)).toMatchObject({ model: BIG, upstream: 'cluster', status: 200 });
  expect(seen.at(-1)).not.toHaveProperty('error');
  expect(seen.at(-1)?.route).toEqual({
    name: 'assistant',
    to: THERE,
    skipped: [
      { to: 'device:o/unknown', reason: expect.stringContaining('does not exist') },
      { to: HERE, reason: expect.stringContaining('8 tokens') },
    ],
  });
  watching.abort();
});
