import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { ChatOpenAI } from '@langchain/openai';
import { streamText } from 'ai';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { pageFetch } from '../../../src/page/api/page-fetch.ts';
import { likeFetch } from '../../../sw/http/like-fetch.ts';
import { MODEL, openApi, ORIGIN, type TestApi } from '../support/api.ts';
import { HANG, text } from '../support/test-engine.ts';

const BASE = `${ORIGIN}/v1`;
const REQUEST = { model: MODEL, messages: [{ role: 'user' as const, content: 'Hi' }] };

const originalFetch = globalThis.fetch;

let api: TestApi;
let ask: ReturnType<typeof pageFetch>;
/** How often the API was loaded. */
let loads: number;
/** Addresses that went to the network. */
let passed: unknown[];

beforeEach(async () => {
  api = await openApi({ hasSignals: true });
  loads = 0;
  passed = [];
  vi.stubGlobal('document', { baseURI: `${ORIGIN}/app/` });
  vi.stubGlobal('fetch', (input: unknown) => {
    passed.push(input);
    return Promise.resolve(new Response('network'));
  });
  ask = pageFetch(BASE, () => {
    loads++;
    return Promise.resolve(likeFetch(api.app));
  });
});

afterEach(() => vi.unstubAllGlobals());

async function textOf(stream: AsyncIterable<string>): Promise<string> {
  return (await Array.fromAsync(stream)).join('');
}

test('the openai package streams', async () => {
  const stream = await api
    .client({ fetch: ask })
    .chat.completions.create({ ...REQUEST, stream: true });
  const pieces = (await Array.fromAsync(stream)).map(
    ({ choices }) => choices[0]?.delta.content ?? '',
  );
  expect(pieces.join('')).toBe('Hello there');
  expect([loads, passed]).toEqual([1, []]);
});

test('so do the AI SDK and LangChain', async () => {
  const settings = { baseURL: BASE, apiKey: api.key, fetch: ask };
  const model = createOpenAICompatible({ name: 'slashv1', ...settings })(MODEL);
  expect(await textOf(streamText({ model, prompt: 'Hi', maxRetries: 0 }).textStream)).toBe(
    'Hello there',
  );
  const chain = new ChatOpenAI({ model: MODEL, apiKey: api.key, configuration: settings });
  const chunks = await Array.fromAsync(await chain.stream('Hi'));
  expect(chunks.map(({ text: piece }) => piece).join('')).toBe('Hello there');
  expect([loads, passed]).toEqual([1, []]);
});

test.each([
  ['a string', `${BASE}/models`],
  ['a URL', new URL(`${BASE}/models?x=1#y`)],
  ['a Request', new Request(`${BASE}/models`)],
])('%s below the base URL is answered here', async (_, input) => {
  const headers = { authorization: `Bearer ${api.key}` };
  const response = await ask(input, { headers, keepalive: true });
  const { data } = (await response.json()) as { data: { id: string }[] };
  expect(data.map(({ id }) => id)).toContain(MODEL);
  expect(response.url).toMatch(/^http:\/\/localhost:4173\/v1\/models(\?x=1)?$/);
  expect(passed).toEqual([]);
});

test.each([
  `${ORIGIN}/v1x`,
  `${ORIGIN}/app/v1/models`,
  'http://other/v1/models',
  new URL('http://other/v1'),
  new Request(`${ORIGIN}/v`),
])('%s goes to the network as it is, and loads nothing', async (input) => {
  expect(await (await ask(input)).text()).toBe('network');
  expect(passed).toEqual([input]);
  expect(loads).toBe(0);
});

test('the body and the headers of a Request arrive', async () => {
  const headers = { authorization: `Bearer ${api.key}`, 'content-type': 'application/json' };
  const request = new Request(`${BASE}/chat/completions`, {
    method: 'POST',
    headers,
    body: JSON.stringify(REQUEST),
  });
  expect((await ask(request)).status).toBe(200);
  expect(request.bodyUsed).toBe(true);
  await expect(ask(request)).rejects.toThrow(TypeError);
});

test.each(['http://', 'http://user:secret@localhost:4173/v1/models'])(
  'an address that fetch refuses is refused: %s',
  async (address) => {
    vi.stubGlobal('fetch', originalFetch);
    ask = pageFetch(BASE, () => Promise.resolve(likeFetch(api.app)));
    await expect(ask(address)).rejects.toThrow(TypeError);
  },
);

test('a missing key is a 401', async () => {
  expect((await ask(`${BASE}/models`)).status).toBe(401);
});

test('an answer without a body has none', async () => {
  const headers = { authorization: `Bearer ${api.key}` };
  const { status, body } = await ask(`${BASE}/models`, { method: 'HEAD', headers });
  expect([status, body]).toEqual([200, null]);
});

test('an abort in mid-stream fails the reader with its reason and ends the run', async () => {
  api.engine.next(text('one'), HANG);
  const aborting = new AbortController();
  const { body } = await chat({ stream: true }, aborting.signal);
  const reader = body?.getReader();
  await reader?.read();
  aborting.abort(new Error('enough'));
  await expect(readAll(reader)).rejects.toThrow('enough');
  await vi.waitFor(() => expect(api.engine.last.ended).toBe(true));
});

test('a reader that cancels ends the run', async () => {
  api.engine.next(text('one'), HANG);
  const { body } = await chat({ stream: true });
  await body?.cancel();
  await vi.waitFor(() => expect(api.engine.last.ended).toBe(true));
});

test.each([true, false])(
  'an abort before the answer rejects and ends the run (stream: %s)',
  async (stream) => {
    api.engine.next(HANG);
    const aborting = new AbortController();
    const answer = chat({ stream }, aborting.signal);
    await vi.waitFor(() => expect(api.engine.runs).toHaveLength(1));
    aborting.abort(new Error('enough'));
    await expect(answer).rejects.toThrow('enough');
    await vi.waitFor(() => expect(api.engine.last.ended).toBe(true));
  },
);

test('a request that is aborted already reaches nothing', async () => {
  await expect(chat({}, AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
  expect(api.engine.runs).toEqual([]);
});

test('if the API could not be loaded, the next request loads it again', async () => {
  let fails = true;
  ask = pageFetch(BASE, () =>
    fails ? Promise.reject(new Error('offline')) : Promise.resolve(likeFetch(api.app)),
  );
  await expect(ask(`${BASE}/models`)).rejects.toThrow('offline');
  fails = false;
  expect((await ask(`${BASE}/models`)).status).toBe(401);
});

test('it can stand in the place of the page’s fetch', async () => {
  vi.stubGlobal('fetch', ask);
  expect(await (await fetch('http://other/')).text()).toBe('network');
});

function chat(fields: object, signal?: AbortSignal): Promise<Response> {
  const headers = { authorization: `Bearer ${api.key}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ ...REQUEST, ...fields });
  return ask(`${BASE}/chat/completions`, {
    method: 'POST',
    headers,
    body,
    ...(signal && { signal }),
  });
}

async function readAll(reader: ReadableStreamDefaultReader<unknown> | undefined): Promise<void> {
  for (;;) if ((await reader?.read())?.done ?? true) return;
}
