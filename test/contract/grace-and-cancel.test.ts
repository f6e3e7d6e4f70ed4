import { describe, expect, test, vi } from 'vitest';
import { MODEL, openApi } from './api.ts';
import { errorOf } from './read.ts';
import { apiError, finish, HANG, text } from './test-engine.ts';

const CHAT = { model: MODEL, messages: [{ role: 'user', content: 'Hi' }] };
const LONG = { stream: 60_000, json: 60_000 };
const SHORT = { stream: 1, json: 1 };
/** Streamed and plain answers. Each kind has its own grace period. */
const WAYS = [
  ['stream', true],
  ['json', false],
] as const;

async function readUntil(reader: ReadableStreamDefaultReader<Uint8Array>, end: string) {
  const decoder = new TextDecoder();
  let received = '';
  while (!received.includes(end)) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`The body ended without ${end}.`);
    received += decoder.decode(value, { stream: true });
  }
}

describe.each(WAYS)('the answer (%s)', (kind, stream) => {
  test('is there at the engine’s first event, long before the grace ends', async () => {
    const api = await openApi({ graceMs: LONG });
    api.engine.next({ type: 'start' }, HANG);
    const response = await api.post('/chat/completions', { ...CHAT, stream });
    expect(response.status).toBe(200);
    expect(api.engine.last.ended).toBe(false);
    await response.body?.cancel();
  });

  test('waits for the first event during the grace', async () => {
    const api = await openApi({ graceMs: LONG });
    const { promise, resolve } = Promise.withResolvers<void>();
    api.engine.next(promise, finish());
    let answered = false;
    const answer = api.post('/chat/completions', { ...CHAT, stream }).then((response) => {
      answered = true;
      return response;
    });
    await vi.waitFor(() => expect(api.engine.runs).toHaveLength(1));
    expect(answered).toBe(false);
    resolve();
    expect((await answer).status).toBe(200);
  });

  test('is there after the grace even without an event', async () => {
    const api = await openApi({ graceMs: { ...LONG, [kind]: 1 } });
    api.engine.next(HANG);
    const response = await api.post('/chat/completions', { ...CHAT, stream });
    expect(response.status).toBe(200);
    await response.body?.cancel();
  });

  test('has the true status of a failure within the grace', async () => {
    const api = await openApi({ graceMs: LONG });
    api.engine.next(Promise.resolve(), apiError(500, 'server_error', 'engine_error'));
    const response = await api.post('/chat/completions', { ...CHAT, stream });
    expect(await errorOf(response)).toMatchObject({ status: 500, code: 'engine_error' });
  });

  test('is 500 when the engine ends without an event', async () => {
    const api = await openApi({ graceMs: LONG });
    api.engine.next(Promise.resolve());
    const response = await api.post('/chat/completions', { ...CHAT, stream });
    expect(await errorOf(response)).toMatchObject({ status: 500, code: 'engine_error' });
  });

  test('cancelled before the first event aborts the engine', async () => {
    const api = await openApi({ graceMs: SHORT });
    api.engine.next(HANG);
    const response = await api.post('/chat/completions', { ...CHAT, stream });
    await response.body?.cancel();
    await vi.waitFor(() => expect(api.engine.last.ended).toBe(true));
    expect(api.engine.last.signal.reason).toMatchObject({ name: 'AbortError' });
  });

  test('cancelled in the middle aborts the engine', async () => {
    const api = await openApi();
    api.engine.next(text('Hello'), HANG);
    const response = await api.post('/chat/completions', { ...CHAT, stream });
    const reader = response.body?.getReader();
    if (stream && reader) await readUntil(reader, 'Hello');
    await reader?.cancel();
    await vi.waitFor(() => expect(api.engine.last.ended).toBe(true));
    expect(api.engine.last.signal.aborted).toBe(true);
  });

  test('cancelled aborts only its own run', async () => {
    const api = await openApi();
    api.engine.always(text('Hello'), HANG);
    const one = await api.post('/chat/completions', { ...CHAT, stream });
    const other = await api.post('/chat/completions', { ...CHAT, stream });
    await one.body?.cancel();
    expect(api.engine.runs.map(({ signal }) => signal.aborted)).toEqual([true, false]);
    await other.body?.cancel();
  });

  test('that the client stopped waiting for aborts the engine as soon as it is there', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const api = await openApi({ graceMs: LONG });
    api.engine.next(promise, { type: 'start' }, HANG);
    const controller = new AbortController();
    const { signal } = controller;
    const answer = api.post('/chat/completions', { ...CHAT, stream }, { signal });
    const outcome = expect(answer).rejects.toMatchObject({ name: 'AbortError' });
    await vi.waitFor(() => expect(api.engine.runs).toHaveLength(1));
    controller.abort();
    await outcome;
    expect(api.engine.last.signal.aborted).toBe(false);
    resolve();
    await vi.waitFor(() => expect(api.engine.last.ended).toBe(true));
  });
});

test('a JSON answer whose engine fails after the grace errors its body', async () => {
  const { promise, reject } = Promise.withResolvers<never>();
  const api = await openApi({ graceMs: SHORT });
  api.engine.next(promise);
  const response = await api.post('/chat/completions', CHAT);
  expect(response.status).toBe(200);
  reject(apiError(500, 'server_error', 'engine_error'));
  await expect(response.text()).rejects.toThrow('It is engine_error.');
});

test('a cancel right after [DONE] is not a disconnect', async () => {
  const api = await openApi();
  const response = await api.post('/chat/completions', { ...CHAT, stream: true });
  const reader = response.body?.getReader();
  if (!reader) throw new Error('No body.');
  await readUntil(reader, '[DONE]');
  await reader.cancel();
  expect(api.engine.last.signal.aborted).toBe(false);
});

test('a reader that leaves a finished answer unread aborts nothing', async () => {
  const api = await openApi();
  const response = await api.post('/chat/completions', { ...CHAT, stream: true });
  await vi.waitFor(() => expect(api.engine.last.ended).toBe(true));
  // The engine is done; the last chunks follow within a few microtasks.
  await new Promise((resolve) => setImmediate(resolve));
  await response.body?.cancel();
  expect(api.engine.last.signal.aborted).toBe(false);
});

test('the next request works after one was cancelled', async () => {
  const api = await openApi();
  api.engine.next(text('Hello'), HANG);
  const response = await api.post('/chat/completions', { ...CHAT, stream: true });
  await response.body?.cancel();
  expect((await api.post('/chat/completions', CHAT)).status).toBe(200);
});
