import { once } from 'node:events';
import { connect } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { expect, test, vi } from 'vitest';
import { bodyTooLarge, MAX_BODY_BYTES } from '../../../src/core/errors/errors.ts';
import { ApiServer } from '../../../src/node/serve/api-server.ts';
import { createBridge } from '../../../src/node/serve/bridge/bridge.ts';
import { openBridge } from './support/bridge.ts';
import { get, post, rawAnswer, responseTo, send } from './support/client.ts';
import { serveForTest, serveHandler } from './support/servers.ts';

// Large bodies are slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

test.each([
  ['announced', { 'content-length': String(MAX_BODY_BYTES + 1) }],
  ['chunked', {}],
])('a body over the limit of the API, %s, is answered as the API does', async (_, headers) => {
  const { url } = await openBridge((request) => void request.resume());
  const request = send(`${url}/chat/completions`, { method: 'POST', headers });
  request.end(Buffer.alloc(MAX_BODY_BYTES + 1));
  const response = await responseTo(request);
  expect(response.statusCode).toBe(413);
  const { message, type, code, param } = bodyTooLarge().data;
  expect(JSON.parse(await text(response))).toEqual({ error: { message, type, param, code } });
});

test('a body as large as the limit of the API reaches the page', async () => {
  const { url } = await openBridge((request, response) => {
    void buffer(request).then(({ length }) => response.end(String(length)));
  });
  const response = await post(`${url}/chat/completions`, Buffer.alloc(MAX_BODY_BYTES));
  expect(await text(response)).toBe(String(MAX_BODY_BYTES));
});

test('if the page closes, its answers break off and do not end', async () => {
  const { url, socket } = await openBridge((_, response) => void response.write('half'));
  const response = await post(`${url}/chat/completions`);
  await once(response, 'readable');
  socket.close();
  await expect(text(response)).rejects.toThrow('aborted');
});

test('an HTTP/1.0 client can tell an answer that broke off from a complete one, too', async () => {
  const { url, socket } = await openBridge((_, response) => void response.write('half'));
  const { hostname, port, host } = new URL(url);
  const client = connect(Number(port), hostname);
  client.write(`GET /v1/models HTTP/1.0\r\nHost: ${host}\r\n\r\n`);
  await once(client, 'data');
  socket.close();
  await expect(text(client)).rejects.toThrow('ECONNRESET');
});

test('if the page closes before it answers, the status is 503', async () => {
  const arrived = Promise.withResolvers<void>();
  const { url, socket } = await openBridge(() => arrived.resolve());
  const answer = get(`${url}/models`);
  await arrived.promise;
  socket.close();
  const { response, body } = await answer;
  expect(response.statusCode).toBe(503);
  expect(JSON.parse(body).error).toMatchObject({
    type: 'server_error',
    code: 'engine_error',
    param: null,
  });
});

test('if a fetch fails in the page, the status is 503', async () => {
  const { url } = await openBridge((request) => request.socket.destroy());
  expect((await get(`${url}/models`)).response.statusCode).toBe(503);
});

test('a body that breaks off in the page breaks off at the client', async () => {
  const { url } = await openBridge((_, response) => {
    response.write('half', () => response.destroy());
  });
  const response = await responseTo(send(`${url}/models`).end());
  await expect(text(response)).rejects.toThrow('aborted');
});

test.each([
  ['/chat/completions?a=b', '/chat/completions?a=b'],
  ['/v1/chat/completions', '/chat/completions'],
  ['/health', '/health'],
  ['/ping', '/health'],
  ['/', '/'],
  ['/v1x', '/v1x'],
  ['/v1/../sw.js', '/sw.js'],
  ['/v1/%2e%2e/sw.js', '/sw.js'],
  ['//host/v1/models', '//host/v1/models'],
])('%s is asked as v1%s: nothing outside the API can be reached', async (path, below) => {
  const { origin } = await openBridge((request, response) => void response.end(request.url));
  expect((await get(origin, { path })).body).toBe(`/base/v1${below}`);
});

test('what is no path is not a URL of the API', async () => {
  const { origin } = await openBridge((_, response) => void response.end());
  const { response, body } = await get(origin, { method: 'OPTIONS', path: '*' });
  expect(response.statusCode).toBe(404);
  expect(JSON.parse(body).error).toEqual({
    message: 'Invalid URL (OPTIONS *)',
    type: 'invalid_request_error',
    param: null,
    code: null,
  });
});

test.each(['/health', '/health?verbose=1', '/ping?now'])(
  'while the page starts, %s is told at once',
  async (path) => {
    const listener = createBridge({
      page: () => new Promise(() => undefined),
      allowOrigins: [],
      site: '',
    });
    const origin = await serveForTest(new ApiServer(listener));
    const { response, body } = await get(`${origin}${path}`);
    expect(response.statusCode).toBe(503);
    expect(JSON.parse(body).error).toMatchObject({ code: 'engine_error' });
  },
);

test('the page answers HEAD and OPTIONS; TRACE is refused', async () => {
  const { url } = await openBridge((request, response) => {
    response.writeHead(request.method === 'OPTIONS' ? 204 : 200, { 'x-method': request.method });
    response.end();
  });
  const statusOf = async (method: string) => (await get(`${url}/models`, { method })).response;
  expect((await statusOf('HEAD')).headers['x-method']).toBe('HEAD');
  expect((await statusOf('OPTIONS')).statusCode).toBe(204);
  expect((await statusOf('TRACE')).statusCode).toBe(405);
});

test('web pages are refused unless their origin is allowed', async () => {
  const { url } = await openBridge((_, response) => void response.end('{}'), ['http://a.test']);
  const refused = await get(`${url}/models`, { headers: { origin: 'http://b.test' } });
  expect(refused.response.statusCode).toBe(403);
  expect(JSON.parse(refused.body).error.code).toBe('origin_not_allowed');
  const allowed = await get(`${url}/models`, { headers: { origin: 'http://a.test' } });
  expect(allowed.response.headers['access-control-allow-origin']).toBe('http://a.test');
  const preflight = await get(`${url}/models`, {
    method: 'OPTIONS',
    headers: {
      origin: 'http://a.test',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type',
    },
  });
  expect(preflight.response.statusCode).toBe(204);
  expect(preflight.response.headers['access-control-allow-headers']).toContain('authorization');
});

test('requests to any name of this computer are answered', async () => {
  const { origin, url } = await openBridge((_, response) => void response.end('{}'));
  const { port } = new URL(origin);
  for (const name of ['127.0.0.1', 'localhost', 'LocalHost', '[::1]']) {
    const { response } = await get(`${url}/models`, { headers: { host: `${name}:${port}` } });
    expect([name, response.statusCode]).toEqual([name, 200]);
  }
});

test.each(['evil.test', 'evil.test:port', 'localhost', 'localhost:1', '127.0.0.1.evil.test:port'])(
  'a page that has pointed its own domain at this computer is refused: %s',
  async (pattern) => {
    const { origin, url } = await openBridge((_, response) => void response.end('{}'), ['*']);
    const host = pattern.replace('port', new URL(origin).port);
    const { response, body } = await get(`${url}/models`, { headers: { host } });
    expect(response.statusCode).toBe(403);
    expect(response.headers['access-control-allow-origin']).toBeUndefined();
    expect(JSON.parse(body).error).toMatchObject({
      type: 'invalid_request_error',
      code: 'host_not_allowed',
      param: null,
      message: expect.stringContaining(`not as "${host}".`),
    });
  },
);

test('a request that names no host is refused', async () => {
  const { origin } = await openBridge((_, response) => void response.end('{}'));
  const answer = await rawAnswer(origin, 'GET /v1/models HTTP/1.0\r\n\r\n');
  expect(answer).toMatch(/^HTTP\/1\.1 403 /);
});

test('requests wait for the page, and fail when the server ends', async () => {
  const pages: PromiseWithResolvers<never>[] = [];
  const bridge = createBridge({
    site: '',
    page: () => {
      const waiting = Promise.withResolvers<never>();
      pages.push(waiting);
      return waiting.promise;
    },
    allowOrigins: [],
  });
  const answer = get(`${await serveHandler(bridge)}/v1/models`);
  await expect.poll(() => pages.length).toBe(1);
  pages[0]?.reject(new Error('The server is ending.'));
  const { response, body } = await answer;
  expect(response.statusCode).toBe(503);
  expect(JSON.parse(body).error.message).toBe('The server is ending.');
});
