import { describe, expect, test, vi } from 'vitest';
import {
  EMBEDDER,
  MODEL,
  openApi,
  ORIGIN,
  RANKER,
  RECOGNISER,
  type TestApi,
} from '../support/api.ts';
import { errorOf } from '../support/read.ts';
import { apiError, finish, HANG, heard, text, type Step } from '../support/test-engine.ts';

const CHAT = { model: MODEL, messages: [{ role: 'user', content: 'Hi' }] };
const LONG = { stream: 60_000, json: 60_000 };
const VECTOR: Step = { type: 'vectors', places: [0], values: new Float32Array(4), tokens: 1 };
const SCORE: Step = { type: 'scores', places: [0], scores: [1], tokens: 1 };
const SHORT = { stream: 1, json: 1 };
/** Streamed and plain answers. Each kind has its own grace period. */
const WAYS = [
  ['stream', true],
  ['json', false],
] as const;

function recorded(format: string): FormData {
  const form = new FormData();
  form.append('model', RECOGNISER);
  form.append('response_format', format);
  form.append('file', new File(['RIFF'], 'sound.wav'));
  return form;
}

async function readUntil(reader: ReadableStreamDefaultReader<Uint8Array>, end: string) {
  const decoder = new TextDecoder();
  let received = '';
  while (!received.includes(end)) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`The body ended without ${end}.`);
    received += decoder.decode(value, { stream: true });
  }
}

test('a stream begins at the engine’s first event, long before the grace ends', async () => {
  const api = await openApi({ graceMs: LONG });
  api.engine.next({ type: 'start' }, HANG);
  const response = await api.post('/chat/completions', { ...CHAT, stream: true });
  expect(response.status).toBe(200);
  expect(api.engine.last.ended).toBe(false);
  await response.body?.cancel();
});

describe.each(WAYS)('the answer (%s)', (kind, stream) => {
  test('waits during the grace, a stream for its first event and a whole answer for its last', async () => {
    const api = await openApi({ graceMs: LONG });
    const { promise, resolve } = Promise.withResolvers<void>();
    const early = stream ? [] : [{ type: 'start' as const }, text('Hello')];
    api.engine.next(...early, promise, finish());
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
    const api = await openApi({ graceMs: SHORT });
    api.engine.next(text('Hello'), HANG);
    const response = await api.post('/chat/completions', { ...CHAT, stream });
    const reader = response.body?.getReader();
    if (stream && reader) await readUntil(reader, 'Hello');
    await reader?.cancel();
    await vi.waitFor(() => expect(api.engine.last.ended).toBe(true));
    expect(api.engine.last.signal.aborted).toBe(true);
  });

  test('cancelled aborts only its own run', async () => {
    const api = await openApi({ graceMs: SHORT });
    api.engine.always(text('Hello'), HANG);
    const one = await api.post('/chat/completions', { ...CHAT, stream });
    const other = await api.post('/chat/completions', { ...CHAT, stream });
    await one.body?.cancel();
    expect(api.engine.runs.map(({ signal }) => signal.aborted)).toEqual([true, false]);
    await other.body?.cancel();
  });

  test('that the client stopped waiting for aborts the engine as soon as it is there', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const api = await openApi({ graceMs: stream ? LONG : { ...LONG, json: 100 } });
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

/** Whole answers of each endpoint, and the first events of their engines. */
const WHOLE: [path: string, body: object | FormData, first: Step][] = [
  ['/chat/completions', CHAT, text('Hello')],
  ['/completions', { model: MODEL, prompt: 'Hi' }, text('Hello')],
  ['/responses', { model: MODEL, input: 'Hi' }, text('Hello')],
  ['/messages', { ...CHAT, max_tokens: 5 }, text('Hello')],
  ['/embeddings', { model: EMBEDDER, input: ['a', 'b'] }, VECTOR],
  ['/rerank', { model: RANKER, query: 'a', documents: ['a', 'b'] }, SCORE],
  ['/audio/transcriptions', recorded('json'), heard(0, ' Hello')],
  ['/audio/transcriptions', recorded('text'), heard(0, ' Hello')],
  ['/audio/transcriptions', recorded('srt'), heard(0, ' Hello')],
];

describe.each(WHOLE)('a whole answer of %s %j', (path, body, first) => {
  const post = (api: TestApi) =>
    body instanceof FormData
      ? api.fetch(path, { method: 'POST', headers: { authorization: `Bearer ${api.key}` }, body })
      : api.post(path, body);

  test('that fails after its first event has the true status', async () => {
    const api = await openApi();
    api.engine.next(first, Promise.resolve(), apiError(500, 'server_error', 'engine_error'));
    const response = await post(api);
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({ error: { message: 'It is engine_error.' } });
  });

  test('whose engine ends in its middle has the true status', async () => {
    const api = await openApi();
    api.engine.next(first);
    expect((await post(api)).status).toBe(500);
  });
});

test('in a page, whose aborts are seen, a whole answer waits for its end without a limit', async () => {
  const api = await openApi({ hasSignals: true });
  api.engine.always(text('Hello'), HANG);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const controller = new AbortController();
    const answer = api.app(
      new Request(`${ORIGIN}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${api.key}`, 'content-type': 'application/json' },
        body: JSON.stringify(CHAT),
        signal: controller.signal,
      }),
    );
    let isAnswered = false;
    void answer.then(() => (isAnswered = true));
    await vi.waitFor(() => expect(api.engine.runs).toHaveLength(1));
    await vi.advanceTimersByTimeAsync(24 * 3600 * 1000);
    expect(isAnswered).toBe(false);
    controller.abort();
    await vi.waitFor(() => expect(api.engine.last.ended).toBe(true));
    await answer;
  } finally {
    vi.useRealTimers();
  }
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
