import { afterEach, expect, test, vi } from 'vitest';
import { EngineClient } from '../../../src/core/port/engine-client.ts';
import { rateLimited } from '../../../src/core/errors/errors.ts';
import { serveEngine } from '../../../src/core/port/engine-host.ts';
import { MODEL, openApi, type ApiEngine } from '../support/api.ts';
import { chunksOf, dataOf, errorOf } from '../support/read.ts';
import { HANG, text } from '../support/test-engine.ts';

const CHAT = { model: MODEL, messages: [{ role: 'user', content: 'Hi' }], stream: true };

let channel: MessageChannel | undefined;
let releaseLock: (() => void) | undefined;

/** The engine behind a port, as in the browser. */
function overAPort(engine: ApiEngine): ApiEngine {
  channel = new MessageChannel();
  serveEngine(channel.port2, engine, { watch: () => undefined });
  const watch = (_name: string, onReleased: () => void) => (releaseLock = onReleased);
  const hold = () => Promise.resolve(() => undefined);
  return new EngineClient(channel.port1, 'engine-lock', { hold, watch });
}

afterEach(() => channel?.port1.close());

test('an answer is streamed', async () => {
  const api = await openApi({ via: overAPort });
  const chunks = await chunksOf(await api.post('/chat/completions', CHAT));
  const pieces = chunks.map(({ choices }) => choices[0]?.delta.content);
  expect(pieces).toEqual(['', 'Hello', ' there', undefined]);
});

test('a failure keeps its status and its headers', async () => {
  const api = await openApi({ via: overAPort });
  api.engine.next(rateLimited('Too many.', 2_000));
  const response = await api.post('/chat/completions', CHAT);
  expect(response.headers.get('retry-after')).toBe('2');
  expect(await errorOf(response)).toMatchObject({ status: 429, code: 'rate_limit_exceeded' });
});

test('a disconnect stops the engine, once', async () => {
  const api = await openApi({ via: overAPort });
  api.engine.next(text('Hello'), HANG);
  const response = await api.post('/chat/completions', CHAT);
  await response.body?.cancel();
  await vi.waitFor(() => expect(api.engine.last.ended).toBe(true));
  expect((await api.post('/chat/completions', CHAT)).status).toBe(200);
});

test('when the engine’s tab closes, a running answer ends with an error event and the next request is 500', async () => {
  const api = await openApi({ via: overAPort });
  api.engine.next(text('Hello'), HANG);
  const response = await api.post('/chat/completions', CHAT);
  releaseLock?.();
  const data = await dataOf(response);
  expect(JSON.parse(data.at(-1) ?? '')).toMatchObject({ error: { code: 'engine_error' } });
  const error = await errorOf(await api.post('/chat/completions', CHAT));
  expect(error).toMatchObject({ status: 500, code: 'engine_error' });
});
