import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type OpenAI from 'openai';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { BIG, openForwardingApi, type ForwardingApi } from './forwarding-api.ts';

const HELLO = [{ role: 'user' as const, content: 'Hi' }];

let site: ForwardingApi;

beforeEach(async () => {
  site = await openForwardingApi();
});

afterEach(() => site.cluster.close());

const EVENT = 'data: {"choices":[{"index":0,"delta":{"content":"a"}}]}\n\n';

function streamOf(openai: OpenAI) {
  return openai.chat.completions.create({ model: BIG, messages: HELLO, stream: true });
}

/** Makes the cluster stream two events, one of them in two pieces. Then `end` decides how the answer ends. */
function streaming(end: (response: ServerResponse) => void) {
  site.cluster.answer = async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(EVENT.slice(0, 20));
    await pause(5);
    response.write(EVENT.slice(20) + EVENT);
    end(response);
  };
}

test('a stream comes event by event', async () => {
  const openai = await site.client();
  const more = Promise.withResolvers<void>();
  streaming((response) => {
    void more.promise.then(() => response.end('data: [DONE]\n\n'));
  });
  const stream = await streamOf(openai);
  let count = 0;
  for await (const { choices } of stream) {
    expect(choices[0]?.delta.content).toBe('a');
    if (++count === 2) more.resolve();
  }
  expect(count).toBe(2);
});

test.each([
  ['ends too early', (response: ServerResponse) => response.end()],
  ['is cut', (response: ServerResponse) => response.destroy()],
])('a stream that %s ends as a broken one', async (_, end) => {
  const openai = await site.client();
  const isRead = Promise.withResolvers<void>();
  streaming((response) => void isRead.promise.then(() => end(response)));
  const stream = await streamOf(openai);
  const reading = Array.fromAsync(stream, () => isRead.resolve());
  await expect(reading).rejects.toThrow();
});

test('a stream that falls silent ends as a broken one, and so does its request', async () => {
  const openai = await site.client({ models: [BIG], timeoutMs: 100 });
  const closed = Promise.withResolvers<void>();
  streaming((response) => void response.on('close', closed.resolve));
  const stream = await streamOf(openai);
  await expect(Array.fromAsync(stream)).rejects.toThrow('fell silent');
  await closed.promise;
});

test('an abort ends the request of the upstream', async () => {
  const openai = await site.client();
  const closed = Promise.withResolvers<void>();
  streaming((response) => void response.on('close', closed.resolve));
  const stream = await streamOf(openai);
  for await (const _ of stream) {
    stream.controller.abort();
    break;
  }
  await closed.promise;
});

test('a large answer is read only as fast as the client reads it', async () => {
  const openai = await site.client();
  let sent = 0;
  const piece = Buffer.alloc(1_000_000);
  site.cluster.answer = async (response) => {
    response.writeHead(200, { 'content-type': 'application/octet-stream' });
    while (!response.destroyed) {
      sent += piece.length;
      if (!response.write(piece))
        await Promise.race([once(response, 'drain'), once(response, 'close')]);
    }
  };
  const response = await openai.audio.speech.create({ model: BIG, input: 'x', voice: 'a' });
  await pause(300);
  const before = sent;
  await pause(300);
  expect(sent).toBe(before);
  await response.body?.cancel();
});

/** A stream of the API whose upstream is silent. The response is there at once, because its grace period is zero. */
async function silentStream(path = 'chat/completions') {
  const early = await openForwardingApi({ stream: 0, json: 20_000 });
  const asked = Promise.withResolvers<ServerResponse>();
  early.cluster.answer = (response) => asked.resolve(response);
  const openai = await early.client();
  const response = await early.fetch(`${openai.baseURL}/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${openai.apiKey}` },
    body: JSON.stringify({ model: BIG, messages: HELLO, stream: true }),
  });
  return { response, asked: asked.promise, close: () => early.cluster.close() };
}

test('a client that leaves before the first byte ends the request of the upstream', async () => {
  const { response, asked, close } = await silentStream();
  expect(response.headers.get('x-slashv1-served-by')).toBe('upstream; name=cluster');
  const closed = once(await asked, 'close');
  await response.body?.cancel();
  await closed;
  await close();
});

test('a stream that began before its upstream answers comes whole', async () => {
  const { response, asked, close } = await silentStream();
  const late = await asked;
  late.writeHead(200, { 'content-type': 'text/event-stream' });
  late.end(`${EVENT}data: [DONE]\n\n`);
  expect(await response.text()).toBe(`${EVENT}data: [DONE]\n\n`);
  await close();
});

test.each([
  ['chat/completions', /^data: \{"error":\{"message":"Too many".*"code":"busy"/],
  ['messages', /^event: error\ndata: \{"type":"error","error":\{.*"message":"Too many"/],
  ['responses', /^event: error\ndata: \{"type":"error","code":"busy","message":"Too many"/],
])('an error of the upstream is an event in a stream of %s that has begun', async (path, event) => {
  const { response, asked, close } = await silentStream(path);
  const late = await asked;
  late.writeHead(429, { 'content-type': 'application/json' });
  late.end(JSON.stringify({ error: { message: 'Too many', code: 'busy' } }));
  expect(await response.text()).toMatch(event);
  await close();
});
