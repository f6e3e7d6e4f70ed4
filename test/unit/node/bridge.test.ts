import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { expect, test, vi } from 'vitest';
import { openBridge } from './support/bridge.ts';
import { get, post, responseTo, send } from './support/client.ts';

// Large bodies are slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const MIB = 1024 * 1024;

test('status, headers and body come back unchanged, errors included', async () => {
  const { url } = await openBridge((_, response) => {
    response.writeHead(429, { 'Retry-After': '7', 'x-request-id': 'req_1' }).end('{"error":1}');
  });
  const { response, body } = await get(`${url}/models`);
  expect(response.statusCode).toBe(429);
  expect(response.headers).toMatchObject({ 'retry-after': '7', 'x-request-id': 'req_1' });
  expect(body).toBe('{"error":1}');
});

test('method, path, query and headers reach the page, percent-encoding untouched', async () => {
  const { url, origin } = await openBridge((request, response) => {
    const { method, headers } = request;
    response.end(JSON.stringify({ method, url: request.url, headers }));
  });
  const { body } = await get(url, {
    path: '/v1/models/Org%2FName%20x?after=a%26b',
    headers: { Authorization: 'Bearer sk-slashv1-x', 'X-Stainless-Lang': 'js', Cookie: 'a=b' },
  });
  const seen = JSON.parse(body);
  expect(seen.method).toBe('GET');
  expect(seen.url).toBe('/base/v1/models/Org%2FName%20x?after=a%26b');
  expect(seen.headers).toMatchObject({
    authorization: 'Bearer sk-slashv1-x',
    'x-stainless-lang': 'js',
  });
  expect(seen.headers.cookie).toBeUndefined();
  expect(seen.headers.host).not.toBe(new URL(origin).host);
});

test('each piece reaches the client before the next is sent', async () => {
  const pieces = ['data: 1\n\n', 'data: 2\n\n', 'data: 3\n\n'];
  let writer: ServerResponse | undefined;
  const { url } = await openBridge((_, response) => {
    writer = response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
  });
  const response = await post(`${url}/chat/completions`);
  const reader = response[Symbol.asyncIterator]();
  for (const piece of pieces) {
    writer?.write(piece);
    expect(String((await reader.next()).value)).toBe(piece);
  }
  writer?.end();
  expect((await reader.next()).done).toBe(true);
});

test('a client that disconnects during a stream ends the page’s fetch', async () => {
  const closed = Promise.withResolvers<void>();
  const { url } = await openBridge((_, response) => {
    response.on('close', () => closed.resolve()).write('first');
  });
  const response = await post(`${url}/chat/completions`);
  await once(response, 'readable');
  response.destroy();
  await closed.promise;
});

test('a client that disconnects before the first byte ends the page’s fetch', async () => {
  const arrived = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  const { url } = await openBridge((_, response) => {
    response.on('close', () => closed.resolve());
    arrived.resolve();
  });
  const request = send(`${url}/completions`, { method: 'POST' }).end('{}');
  await arrived.promise;
  request.destroy();
  await closed.promise;
});

test('a client that disconnects does not disturb the others', async () => {
  let slow: ServerResponse | undefined;
  const { url } = await openBridge((request, response) => {
    response.write('one,');
    if (request.url?.endsWith('slow')) slow = response;
  });
  const kept = await responseTo(send(`${url}/slow`).end());
  const dropped = await responseTo(send(`${url}/dropped`).end());
  dropped.destroy();
  await once(dropped, 'close');
  slow?.end('two');
  expect(await text(kept)).toBe('one,two');
});

test('of many requests at once, each gets its own answer', async () => {
  const { url } = await openBridge((request, response) => {
    void buffer(request).then((body) => response.end(Buffer.concat([body, body])));
  });
  const sent = Array.from({ length: 100 }, (_, index) => randomBytes(index * 500));
  const answers = await Promise.all(
    sent.map(async (bytes, index) => {
      return buffer(await post(`${url}/echo/${index}`, bytes));
    }),
  );
  sent.forEach((bytes, index) =>
    expect(answers[index]?.equals(Buffer.concat([bytes, bytes]))).toBe(true),
  );
});

test('large bodies pass unchanged in both directions', async () => {
  const { url } = await openBridge((request, response) => void request.pipe(response));
  const bytes = randomBytes(16 * MIB);
  const response = await post(`${url}/echo`, bytes);
  const hash = (data: Buffer) => createHash('sha256').update(data).digest('hex');
  expect(hash(await buffer(response))).toBe(hash(bytes));
});

test('a slow client slows down only its own answer', async () => {
  let made = 0;
  const { url } = await openBridge((request, response) => {
    if (!request.url?.endsWith('endless')) return void response.end('quick');
    const write = () => {
      do made++;
      while (response.write(Buffer.alloc(MIB)));
    };
    response.on('drain', write);
    write();
  });
  const slow = await responseTo(send(`${url}/endless`).end());
  const others = Array.from({ length: 20 }, (_, index) => `${url}/other/${index}`);
  let [before, now] = [-1, 0];
  while (now > before && now < 64) {
    before = now;
    // Without a limit, the answer would grow while these are answered: all share one event loop.
    for (const other of others) expect((await get(other)).body).toBe('quick');
    now = made;
  }
  expect(now).toBeLessThan(64);
  slow.destroy();
});

test('a GET with a body is passed on without the body', async () => {
  const { url } = await openBridge((request, response) => void request.pipe(response));
  const request = send(`${url}/models`, { headers: { 'content-length': '2' } });
  const response = await responseTo(request.end('{}'));
  expect(response.statusCode).toBe(200);
  expect(await text(response)).toBe('');
});

test('one connection serves many requests', async () => {
  const { url } = await openBridge((request, response) => void response.end(request.url));
  const { hostname, port, host } = new URL(url);
  const client = connect(Number(port), hostname);
  for (const name of ['a', 'b']) {
    client.write(`GET /v1/${name} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    const [data] = await once(client, 'data');
    expect(String(data)).toContain('HTTP/1.1 200');
  }
  client.destroy();
});

test('a browser that opens the bridge is led to the site, and a program is answered by the page', async () => {
  const { url, origin } = await openBridge((_, response) => response.writeHead(404).end('none'));
  const headers = { accept: 'text/html,*/*' };
  const { response } = await get(`${origin}/`, { headers });
  expect([response.statusCode, response.headers.location]).toEqual([302, 'http://site/']);
  expect((await get(`${origin}/`, { headers: { accept: '*/*' } })).body).toBe('none');
  expect((await get(`${url}/models`, { headers })).body).toBe('none');
});
