import { createHash, randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import type OpenAI from 'openai';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ApiRequest } from '../../../src/core/realms/api-request.ts';
import { watchRequests } from '../../../src/page/api/requests.ts';
import { upstreamError } from '../../../sw/upstreams/upstream-errors.ts';
import { EMBEDDER, MODEL, UNINSTALLED_MODEL } from '../support/api.ts';
import { sendJson } from '../../support/servers/upstream-server.ts';
import { finish, text } from '../support/test-engine.ts';
import { BIG, openForwardingApi, SECRET, type ForwardingApi } from './forwarding-api.ts';

const HELLO = [{ role: 'user' as const, content: 'Hi' }];

let site: ForwardingApi;

beforeEach(async () => {
  site = await openForwardingApi();
});

afterEach(() => site.cluster.close());

/** Sends bytes as they are, with the client's key. */
function sender({ apiKey, baseURL }: OpenAI) {
  const authorization = `Bearer ${apiKey}`;
  return (path: string, body: BodyInit, headers: Record<string, string> = {}) =>
    site.fetch(`${baseURL}/${path}`, {
      method: 'POST',
      headers: { authorization, ...headers },
      body,
    });
}

test('a model that only the cluster has is answered there, with its headers and not with the key', async () => {
  const openai = await site.client();
  site.cluster.answer = (response) => sendJson(response, { id: 'x', choices: [], usage: null });
  const { data, response } = await openai.chat.completions
    .create({ model: BIG, messages: HELLO }, { query: { trace: 'a b' } })
    .withResponse();
  expect(data).toMatchObject({ id: 'x' });
  expect(response.headers.get('x-slashv1-served-by')).toBe('upstream; name=cluster');
  const [request, ...others] = site.forwarded();
  expect(others).toEqual([]);
  expect(request?.path).toBe('/v1/chat/completions?trace=a%20b');
  expect(request?.headers.authorization).toBe(SECRET);
  expect(JSON.stringify(request?.headers)).not.toContain('sk-slashv1-');
  expect(Object.keys(request?.headers ?? {})).not.toContain('x-stainless-lang');
});

test('the body arrives byte for byte, encoded or in parts, and the answer comes back so', async () => {
  const openai = await site.client();
  const answer = randomBytes(100_000);
  site.cluster.answer = (response) =>
    void response.writeHead(200, { 'content-type': 'audio/mpeg' }).end(answer);
  const send = sender(openai);
  const odd = `{ "model" : "${BIG}",\n"input":"ü", "unknown": 1.0 }`;
  const packed = gzipSync(odd);
  const json = { 'content-type': 'application/json; charset=utf-8' };
  const plain = await send('audio/speech', odd, json);
  expect(Buffer.from(await plain.arrayBuffer()).equals(answer)).toBe(true);
  await (await send('embeddings', packed, { ...json, 'content-encoding': 'gzip' })).arrayBuffer();
  const form = [
    '--b\r\ncontent-disposition: form-data; name="model"\r\n\r\n',
    BIG,
    '\r\n--b\r\ncontent-disposition: form-data; name="file"; filename="a.wav"\r\n',
    'content-type: audio/wav\r\n\r\n\0\u0001\r\n--b--\r\n',
  ].join('');
  const type = 'multipart/form-data; boundary=b';
  await (await send('audio/transcriptions', form, { 'content-type': type })).arrayBuffer();
  expect(
    site.forwarded().map(({ path, body, headers }) => [path, body, headers['content-type']]),
  ).toEqual([
    ['/v1/audio/speech', Buffer.from(odd), json['content-type']],
    ['/v1/embeddings', packed, json['content-type']],
    ['/v1/audio/transcriptions', Buffer.from(form), type],
  ]);
  expect(site.forwarded()[1]?.headers['content-encoding']).toBe('gzip');
});

test('what this device serves stays here, and so does everything without upstreams', async () => {
  const openai = await site.client({ models: '*' });
  site.api.engine.next(text('Here.'), finish());
  const { data, response } = await openai.chat.completions
    .create({ model: MODEL, messages: HELLO })
    .withResponse();
  expect(data.choices[0]?.message.content).toBe('Here.');
  expect(response.headers.get('x-slashv1-served-by')).toBe('device');
  const other = await site.api.post('/chat/completions', { model: BIG, messages: HELLO });
  expect([other.status, other.headers.get('x-slashv1-served-by')]).toEqual([404, 'device']);
  expect(site.cluster.requests).toEqual([]);
});

test('a misspelt model, broken JSON and the management of models never leave the device', async () => {
  const openai = await site.client({ models: '*' });
  const missing = openai.chat.completions.create({ model: 'tiny-chatt', messages: HELLO });
  await expect(missing).rejects.toMatchObject({ status: 404, code: 'model_not_found' });
  const send = sender(openai);
  expect((await send('chat/completions', `{"model":"${BIG}"`)).status).toBe(400);
  expect((await send('chat/completions', '{"model":1}')).status).toBe(400);
  expect((await send(`models/${BIG}/load`, `{"model":"${BIG}"}`)).status).toBe(403);
  expect(site.forwarded()).toEqual([]);
});

test('only the named endpoints, models and keys go on', async () => {
  const openai = await site.client({ endpoints: ['/embeddings'] }, [BIG]);
  const chat = openai.chat.completions.create({ model: BIG, messages: HELLO });
  await expect(chat).rejects.toMatchObject({ status: 404 });
  const other = openai.embeddings.create({ model: 'meta-llama/Other', input: 'x' });
  await expect(other).rejects.toMatchObject({ status: 403, code: 'model_not_allowed' });
  expect(site.forwarded()).toEqual([]);
});

test('a model that is not installed goes on only to a fallback', async () => {
  site.cluster.listModels = (response) => sendJson(response, { data: [{ id: UNINSTALLED_MODEL }] });
  const strict = await site.client({ models: '*' });
  const refused = strict.chat.completions.create({ model: UNINSTALLED_MODEL, messages: HELLO });
  await expect(refused).rejects.toMatchObject({ status: 404 });
  expect(site.forwarded()).toEqual([]);
  const lenient = await site.client({ models: '*', fallback: true });
  await lenient.chat.completions.create({ model: UNINSTALLED_MODEL, messages: HELLO });
  expect(site.forwarded()).toHaveLength(1);
  expect((await lenient.models.retrieve(UNINSTALLED_MODEL)) as object).toMatchObject({
    served_by: 'cluster',
  });
});

test('the list has its models with their own facts, and none while it is down', async () => {
  const openai = await site.client();
  const list = async () => (await openai.models.list()).data;
  const all = await list();
  expect(all.map(({ id }) => id)).toEqual(
    expect.arrayContaining([MODEL, EMBEDDER, BIG, 'meta-llama/Other']),
  );
  expect(all.map(({ id }) => id)).not.toContain('secret/one');
  expect(all.find(({ id }) => id === BIG)).toMatchObject({
    object: 'model',
    owned_by: 'them',
    served_by: 'cluster',
  });
  expect(all.find(({ id }) => id === MODEL)).not.toHaveProperty('served_by');
  expect(site.cluster.requests).toHaveLength(1);
  await list();
  expect(site.cluster.requests).toHaveLength(1);
  await site.cluster.close();
  const down = await site.client();
  expect((await down.models.list()).data.map(({ id }) => id)).not.toContain(BIG);
});

test('a model of this device is described without asking upstreams, which may be dead', async () => {
  const openai = await site.client();
  site.cluster.listModels = () => undefined;
  expect((await openai.models.retrieve(MODEL)).id).toBe(MODEL);
  expect(site.cluster.requests).toEqual([]);
});

test("the upstream's errors and headers come back as they are", async () => {
  const openai = await site.client();
  site.cluster.answer = (response) =>
    void response
      .writeHead(429, {
        'content-type': 'application/json',
        'retry-after': '7',
        'x-request-id': 'theirs',
        'x-ratelimit-remaining-tokens': '0',
      })
      .end('{"error":{"message":"Slow down","code":"theirs"}}');
  const failed = openai.chat.completions.create({ model: BIG, messages: HELLO });
  const error: unknown = await failed.catch((reason: unknown) => reason);
  expect(error).toMatchObject({ status: 429, code: 'theirs', requestID: 'theirs' });
  const { headers } = error as { headers: Headers };
  expect([headers.get('retry-after'), headers.get('x-ratelimit-remaining-tokens')]).toEqual([
    '7',
    '0',
  ]);
  expect(headers.get('x-slashv1-served-by')).toBe('upstream; name=cluster');
});

test('an expired token is refused by the upstream, and the next request has a new one', async () => {
  const tokens = ['Bearer old', 'Bearer new'];
  const valid = tokens[1];
  site.headersOf = () => Promise.resolve({ authorization: tokens.shift() ?? '' });
  const exact = await site.client({ models: [BIG] });
  site.cluster.answer = (response, { headers }) =>
    headers.authorization === valid
      ? sendJson(response, { id: 'x', choices: [] })
      : sendJson(response, { error: { message: 'Expired', code: 'token_expired' } }, 401);
  const ask = () => exact.chat.completions.create({ model: BIG, messages: HELLO });
  await expect(ask()).rejects.toMatchObject({ status: 401, code: 'token_expired' });
  expect(await ask()).toMatchObject({ id: 'x' });
});

test.each([
  ['has no end', (response: ServerResponse) => void Readable.from(endless()).pipe(response)],
  [
    'is cut',
    (response: ServerResponse) => void response.write('{"data":[', () => response.destroy()),
  ],
  ['is garbage', (response: ServerResponse) => void response.end('<html>')],
])('a list of models that %s is refused, and no prompt leaves', async (_, listModels) => {
  const openai = await site.client();
  const closed = Promise.withResolvers<void>();
  site.cluster.listModels = (response) => {
    response.on('close', closed.resolve);
    response.writeHead(200, { 'content-type': 'application/json' });
    listModels(response);
  };
  expect(await failureOf(openai)).toEqual([502, 'upstream_invalid']);
  await closed.promise;
  expect(site.forwarded()).toEqual([]);
});

function* endless(): Generator<string> {
  yield '{"data":[';
  for (;;) yield '{"id":"x"},'.repeat(10_000);
}

/** What the client reads of the failure. It must tell nothing of the address, the headers or the prompt. */
async function failureOf(openai: OpenAI, model = BIG): Promise<unknown[]> {
  const error = await openai.chat.completions
    .create({ model, messages: HELLO })
    .catch((reason: unknown) => reason);
  const { status, code, message } = error as { status: number; code: string; message: string };
  expect(message).toContain("'cluster'");
  for (const secret of ['127.0.0.1', SECRET, 'Hi']) expect(message).not.toContain(secret);
  return [status, code];
}

test('each of its faults has an error of its own', async () => {
  const hasty = await site.client({ models: [BIG], timeoutMs: 50 });
  site.cluster.answer = () => undefined;
  expect(await failureOf(hasty)).toEqual([504, 'upstream_timeout']);
  const exact = await site.client({ models: [BIG] });
  site.cluster.answer = (response) =>
    void response.writeHead(307, { location: 'https://elsewhere.example/' }).end();
  expect(await failureOf(exact)).toEqual([502, 'upstream_redirected']);
  site.cluster.answer = (response) => void response.socket?.end('garbage\r\n\r\n');
  expect(await failureOf(exact)).toEqual([502, 'upstream_unreachable']);
  site.headersOf = () => Promise.reject(upstreamError('cluster', 'upstream_headers_failed'));
  expect(await failureOf(exact)).toEqual([503, 'upstream_headers_failed']);
  site.headersOf = () => Promise.resolve({});
  const byPattern = await site.client();
  site.cluster.listModels = (response) => sendJson(response, { models: [] });
  expect(await failureOf(byPattern)).toEqual([502, 'upstream_invalid']);
  await site.cluster.close();
  expect(await failureOf(await site.client())).toEqual([502, 'upstream_unreachable']);
});

test('nothing of a request or an answer differs from a direct one', async () => {
  const openai = await site.client();
  const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
  site.cluster.answer = (response, { body }) =>
    sendJson(response, { hash: hash(body), again: 'ü' });
  const body = JSON.stringify({ model: BIG, messages: HELLO, tools: [], seed: 1 });
  const headers = { 'content-type': 'application/json' };
  const url = `${site.cluster.baseURL}/chat/completions`;
  const direct = await fetch(url, { method: 'POST', body, headers });
  const through = await sender(openai)('chat/completions', body, headers);
  const bytes = async (response: Response) => hash(new Uint8Array(await response.arrayBuffer()));
  expect(await bytes(through)).toBe(await bytes(direct));
});

test('who watches the requests sees which of them left the device', async () => {
  const openai = await site.client();
  const seen: ApiRequest[] = [];
  const watching = new AbortController();
  await watchRequests(site.api.scope, watching.signal, (request) => seen.push(request));
  await openai.chat.completions.create({ model: BIG, messages: HELLO });
  await vi.waitFor(() => expect(seen.at(-1)).toMatchObject({ model: BIG, upstream: 'cluster' }));
  watching.abort();
});
