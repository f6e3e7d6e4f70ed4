import { afterEach, expect, test, vi } from 'vitest';
import {
  requestChannel,
  type ApiRequest,
  type RequestMessage,
} from '../../../src/core/realms/api-request.ts';
import { watchRequests } from '../../../src/page/api/requests.ts';
import { createApp } from '../../../sw/app.ts';
import { RequestLog } from '../../../sw/metering/request-log.ts';
import { MODEL, openApi, RANKER, SPEECH_MODEL, type TestApi } from '../support/api.ts';
import { finish, HANG, text, toolArguments, toolCall } from '../support/test-engine.ts';

const SECRET = 'the purple heron';
const CHAT = { model: MODEL, messages: [{ role: 'user', content: SECRET }], temperature: 0.5 };

let stopping = new AbortController();

afterEach(() => {
  stopping.abort();
  stopping = new AbortController();
});

/** The facts that a watching page gets, by the requests' ids. */
async function watch({ scope }: Pick<TestApi, 'scope'>, contents = false) {
  const told: ApiRequest[] = [];
  const end = await watchRequests(scope, stopping.signal, (request) => told.push(request), {
    contents,
  });
  const latest = () => [...new Map(told.map((request) => [request.id, request])).values()];
  /** The only request, when it is over. */
  const over = () =>
    vi.waitFor(() => {
      const [request] = latest();
      if (request?.durationMs === undefined) throw new Error('It is not over.');
      return request;
    });
  return { told, latest, over, end };
}

test('a chat is told of as it goes: its key, model, parameters, tokens and end', async () => {
  const api = await openApi({ isWatchable: true });
  const { told, over } = await watch(api);
  const response = await api.post('/chat/completions', { ...CHAT, stream: true });
  expect(await response.text()).toContain('[DONE]');
  const request = await over();
  expect(request).toMatchObject({
    method: 'POST',
    endpoint: 'chat/completions',
    key: 'test',
    model: MODEL,
    status: 200,
    promptTokens: 7,
    cachedTokens: 2,
    completionTokens: 3,
    finishReason: 'stop',
    parameters: { model: MODEL, temperature: 0.5, stream: true },
    id: response.headers.get('x-request-id'),
    firstTokenMs: expect.any(Number) as unknown,
  });
  expect(request.at).toBeGreaterThan(Date.now() - 10_000);
  expect(told[0]).not.toHaveProperty('durationMs');
  expect(JSON.stringify(told)).not.toContain(SECRET);
  expect(JSON.stringify(told)).not.toContain('Hello');
  expect(JSON.stringify(told)).not.toContain(api.key);
});

test('contents are told of only to those who want them', async () => {
  const api = await openApi({ isWatchable: true });
  const without = await watch(api);
  const { over, latest } = await watch(api, true);
  api.engine.next(
    { type: 'reasoning', text: 'Hm.' },
    text('Sure'),
    toolCall(0, 'look'),
    toolArguments(0, '{}'),
    finish('tool_calls'),
  );
  const tools = [{ type: 'function', function: { name: 'look' } }];
  await (await api.post('/chat/completions', { ...CHAT, tools })).text();
  await over();
  await vi.waitFor(() => expect(latest()[0]?.body).toMatchObject(CHAT));
  const toolCalls = [{ name: 'look', arguments: '{}' }];
  expect(latest()[0]?.answers).toEqual([{ text: 'Sure', reasoning: 'Hm.', toolCalls }]);
  expect(JSON.stringify(without.told)).not.toContain(SECRET);
  expect(JSON.stringify(without.told)).not.toContain('Sure');
});

test('several answers are told of one by one', async () => {
  const api = await openApi({ isWatchable: true });
  const { latest } = await watch(api, true);
  api.engine.next(text('a'), finish(), text('b'), finish());
  await (await api.post('/chat/completions', { ...CHAT, n: 2 })).text();
  await vi.waitFor(() =>
    expect(latest()[0]?.answers?.map((each) => each.text)).toEqual(['a', 'b']),
  );
  expect(latest()[0]).toMatchObject({ promptTokens: 7, completionTokens: 6 });
});

test('other endpoints and refusals are told of, too', async () => {
  const api = await openApi({ isWatchable: true });
  const { latest } = await watch(api);
  await (await api.post('/rerank', { model: RANKER, query: SECRET, documents: ['d'] })).text();
  const speech = { model: SPEECH_MODEL, voice: 'ann', input: SECRET };
  await (await api.post('/audio/speech', speech)).arrayBuffer();
  await (await api.fetch('/models')).text();
  await (await api.fetch('/models', { headers: {} })).text();
  await (await api.post('/chat/completions', { ...CHAT, model: 'none' })).text();
  await (await api.fetch('/nothing')).text();
  await vi.waitFor(() =>
    expect(
      latest().map(({ endpoint, status, error, durationMs }) => [
        endpoint,
        status,
        error?.code,
        durationMs !== undefined,
      ]),
    ).toEqual([
      ['rerank', 200, undefined, true],
      ['audio/speech', 200, undefined, true],
      ['models', 200, undefined, true],
      ['models', 401, 'invalid_api_key', true],
      ['chat/completions', 404, 'model_not_found', true],
      ['nothing', 404, null, true],
    ]),
  );
  expect(JSON.stringify(latest())).not.toContain(SECRET);
});

test('a client that hangs up and a failure in the middle are told of', async () => {
  const api = await openApi({ isWatchable: true, graceMs: { stream: 0, json: 0 } });
  const { latest } = await watch(api);
  api.engine.next(text('a'), HANG);
  const cut = await api.post('/chat/completions', { ...CHAT, stream: true });
  const reader = cut.body?.getReader();
  await reader?.read();
  await reader?.cancel();
  api.engine.next(text('a'), new Error('It broke.'));
  await (await api.post('/chat/completions', { ...CHAT, stream: true })).text();
  await vi.waitFor(() =>
    expect(latest().map(({ error }) => error?.code)).toEqual(['aborted', 'engine_error']),
  );
});

test('who watches is asked, so that the first request of a worker is told of', async () => {
  const api = await openApi({ isWatchable: true });
  const { latest } = await watch(api, true);
  // A worker that has just been started.
  const worker = createApp({ ...api.options, log: new RequestLog(api.scope) });
  const headers = { authorization: `Bearer ${api.key}` };
  const url = 'http://localhost:4173/v1/chat/completions';
  await (
    await worker(new Request(url, { method: 'POST', headers, body: JSON.stringify(CHAT) }))
  ).text();
  await vi.waitFor(() => expect(latest()[0]?.body).toMatchObject(CHAT));
});

test('the engine is asked for nothing more when nobody watches any more', async () => {
  const api = await openApi({ isWatchable: true });
  const { end, over, told } = await watch(api);
  await (await api.post('/chat/completions', CHAT)).text();
  await over();
  expect(api.engine.last.job.tellsReading).toBe(true);
  end();
  const count = told.length;
  await vi.waitFor(
    async () => {
      await (await api.post('/chat/completions', CHAT)).text();
      expect(api.engine.last.job.tellsReading).toBeUndefined();
    },
    { interval: 100 },
  );
  expect(told).toHaveLength(count);
});

/** What is posted to the channel of a scope, until the test has ended. */
function listen({ scope }: Pick<TestApi, 'scope'>, take: (message: RequestMessage) => void) {
  const channel = new BroadcastChannel(requestChannel(scope));
  channel.onmessage = ({ data }: MessageEvent<RequestMessage>) => take(data);
  stopping.signal.addEventListener('abort', () => channel.close());
  return (message: RequestMessage) => channel.postMessage(message);
}

test('whoever answers requests says that it knows of a page that watches', async () => {
  const api = await openApi({ isWatchable: true });
  const told: RequestMessage[] = [];
  const post = listen(api, (message) => void told.push(message));
  await (await api.post('/chat/completions', CHAT)).text();
  post({ type: 'watch', lock: 'a page', contents: true });
  await vi.waitFor(() => expect(told).toContainEqual({ type: 'watched', lock: 'a page' }));
});

test('watching has begun when that is said', async () => {
  const site = { scope: '/known/' };
  const order: string[] = [];
  const post = listen(site, (message) => {
    if (message.type !== 'watch') return;
    setTimeout(() => {
      order.push('known');
      post({ type: 'watched', lock: 'another page' });
      post({ type: 'watched', lock: message.lock });
    }, 20);
  });
  await watch(site);
  order.push('watching');
  expect(order).toEqual(['known', 'watching']);
});
