import { once } from 'node:events';
import { connect, type ClientHttp2Session, type IncomingHttpHeaders } from 'node:http2';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openBridge } from './support/bridge.ts';
import { get } from './support/client.ts';

/** A client that speaks HTTP/2 without asking first. */
function session(origin: string): ClientHttp2Session {
  const client = connect(origin);
  // The server ends before it.
  client.on('error', () => undefined);
  onTestFinished(() => client.destroy());
  return client;
}

async function ask(
  client: ClientHttp2Session,
  { body = '', ...headers }: Record<string, string>,
): Promise<{ headers: IncomingHttpHeaders; body: string }> {
  const stream = client.request(headers);
  if (body !== '') stream.end(body);
  const [answered]: IncomingHttpHeaders[] = await once(stream, 'response');
  return { headers: answered ?? {}, body: await text(stream) };
}

test('HTTP/2 and HTTP/1.1 are answered at the same port', async () => {
  const { origin, url } = await openBridge((request, response) => {
    const bytes: Buffer[] = [];
    request.on('data', (chunk: Buffer) => bytes.push(chunk));
    request.on('end', () => {
      const { method, headers } = request;
      const seen = { method, url: request.url, key: headers['authorization'] };
      response.writeHead(429, { 'retry-after': '7' });
      response.end(JSON.stringify({ ...seen, body: String(Buffer.concat(bytes)) }));
    });
  });
  const { headers, body } = await ask(session(origin), {
    ':method': 'POST',
    ':path': '/v1/chat/completions',
    authorization: 'Bearer a',
    body: '{"model":"m"}',
  });
  expect(headers).toMatchObject({ ':status': 429, 'retry-after': '7' });
  expect(JSON.parse(body)).toEqual({
    method: 'POST',
    url: '/base/v1/chat/completions',
    key: 'Bearer a',
    body: '{"model":"m"}',
  });
  expect((await get(`${url}/models`)).response.statusCode).toBe(429);
});

test('many requests run at once over one connection, and events arrive one by one', async () => {
  const { origin } = await openBridge((request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: 1\n\n');
    // The first request ends only after the second has been answered.
    if (request.url?.endsWith('/a')) open.push(() => response.end('data: 2\n\n'));
    else response.end('data: 3\n\n');
  });
  const open: (() => void)[] = [];
  const client = session(origin);
  const first = client.request({ ':path': '/v1/a' });
  first.setEncoding('utf8');
  expect(await once(first, 'data')).toEqual(['data: 1\n\n']);
  expect((await ask(client, { ':path': '/v1/b' })).body).toBe('data: 1\n\ndata: 3\n\n');
  open.forEach((end) => end());
  expect(await text(first)).toBe('data: 2\n\n');
});

test('a stream that the client resets is aborted in the page', async () => {
  const closed = vi.fn<() => void>();
  const { origin } = await openBridge((_, response) => {
    response.on('close', closed);
    response.writeHead(200).write('data: 1\n\n');
  });
  const stream = session(origin).request({ ':path': '/v1/a' });
  await once(stream, 'data');
  stream.close();
  await vi.waitFor(() => expect(closed).toHaveBeenCalled());
});

test('a body that breaks off in the page breaks off at the client', async () => {
  const { origin } = await openBridge((_, response) => {
    response.write('half', () => response.destroy());
  });
  const stream = session(origin).request({ ':path': '/v1/a' });
  await expect(text(stream)).rejects.toThrow();
});

test('other names of this computer and other origins are refused', async () => {
  const { origin } = await openBridge((_, response) => void response.end());
  const client = session(origin);
  const foreign = await ask(client, { ':path': '/v1/models', ':authority': 'evil.test' });
  expect(foreign.headers[':status']).toBe(403);
  const page = await ask(client, { ':path': '/v1/models', origin: 'http://evil.test' });
  expect(JSON.parse(page.body).error.code).toBe('origin_not_allowed');
});
