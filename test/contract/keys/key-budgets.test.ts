import { expect, test, vi } from 'vitest';
import { budgetReset } from '../../../src/core/keys/key-use.ts';
import { createApp } from '../../../sw/app.ts';
import { EMBEDDER, MODEL, openApi, ORIGIN, RANKER, type ApiEngine } from '../support/api.ts';
import { CHAT, limited } from '../support/limited-key.ts';
import { errorOf } from '../support/read.ts';
import { finish, HANG, text } from '../support/test-engine.ts';

/** Tokens of the test engine's usual answer: 7 read and 3 written. */
const OF_AN_ANSWER = 10;

test('a key without budget left is refused until the day of UTC ends', async () => {
  vi.useFakeTimers({ now: Date.UTC(2026, 4, 1, 23, 59, 0), toFake: ['Date'] });
  try {
    const api = await openApi();
    const { headers, used } = await limited(api, { tokensPerDay: OF_AN_ANSWER + 1 });
    const ask = () => api.post('/chat/completions', CHAT, { headers });
    // The second begins within the budget.
    for (const total of [OF_AN_ANSWER, 2 * OF_AN_ANSWER]) {
      const response = await ask();
      expect(response.status).toBe(200);
      await response.text();
      expect(await used()).toBe(total);
    }
    const refused = await ask();
    expect(refused.headers.get('retry-after')).toBe('60');
    expect(refused.headers.get('x-should-retry')).toBe('false');
    expect(await errorOf(refused)).toMatchObject({
      status: 429,
      code: 'token_budget_exceeded',
      type: 'requests',
      message: expect.stringContaining('2026-05-02T00:00:00.000Z') as unknown,
    });
    expect(api.engine.runs).toHaveLength(2);
    expect((await api.fetch('/models', { headers })).status).toBe(200);
    vi.setSystemTime(budgetReset());
    await (await ask()).text();
    expect(await used()).toBe(OF_AN_ANSWER);
  } finally {
    vi.useRealTimers();
  }
});

test('every endpoint that has tokens spends the budget', async () => {
  const api = await openApi();
  const { headers, used } = await limited(api, { tokensPerDay: 1_000_000 });
  const spent = async (path: string, body: object) => {
    const before = (await used()) ?? 0;
    const response = await api.post(path, body, { headers });
    expect(response.status).toBe(200);
    await response.text();
    return ((await used()) ?? 0) - before;
  };
  expect(await spent('/chat/completions', CHAT)).toBe(OF_AN_ANSWER);
  expect(await spent('/chat/completions', { ...CHAT, stream: true })).toBe(OF_AN_ANSWER);
  expect(await spent('/completions', { model: MODEL, prompt: 'Hi' })).toBe(OF_AN_ANSWER);
  expect(await spent('/completions', { model: MODEL, prompt: ['a', 'b'] })).toBe(2 * OF_AN_ANSWER);
  expect(await spent('/responses', { model: MODEL, input: 'Hi' })).toBe(OF_AN_ANSWER);
  expect(await spent('/messages', { ...CHAT, max_tokens: 9 })).toBe(OF_AN_ANSWER);
  expect(await spent('/embeddings', { model: EMBEDDER, input: 'Hi' })).toBeGreaterThan(0);
  const ranking = { model: RANKER, query: 'q', documents: ['d'] };
  expect(await spent('/rerank', ranking)).toBeGreaterThan(0);
  expect(await spent('/tokenize', { model: MODEL, prompt: 'Hi' })).toBe(0);
});

test('several answers to a prompt read it once', async () => {
  const api = await openApi();
  const { headers, used } = await limited(api, { tokensPerDay: 100 });
  api.engine.next(text('a'), finish(), text('b'), finish());
  await (await api.post('/chat/completions', { ...CHAT, n: 2 }, { headers })).text();
  expect(await used()).toBe(7 + 2 * 3);
});

test('an answer that is cut off spends what was read and written of it', async () => {
  const api = await openApi({ graceMs: { stream: 0, json: 0 } });
  const { headers, used } = await limited(api, { tokensPerDay: 100 });
  const prompt = { promptTokens: 20, cachedTokens: 5 };
  api.engine.next(
    { type: 'reading', prompt: { ...prompt, readTokens: 12 } },
    { type: 'start', prompt },
    { type: 'text', text: 'One', tokens: 1 },
    { type: 'text', text: ' two', tokens: 2 },
    HANG,
  );
  const response = await api.post('/chat/completions', { ...CHAT, stream: true }, { headers });
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  for (let all = ''; !all.includes(' two');) {
    const { value } = (await reader?.read()) ?? {};
    all += decoder.decode(value);
    // The client did not ask for progress events.
    expect(all).not.toContain('prompt_progress');
  }
  await reader?.cancel();
  await vi.waitFor(async () => expect(await used()).toBe(22));
});

test('a prompt whose reading is cut off spends what was read of it', async () => {
  const api = await openApi({ graceMs: { stream: 0, json: 0 } });
  const { headers, used } = await limited(api, { tokensPerDay: 100 });
  const prompt = { promptTokens: 20, cachedTokens: 0, readTokens: 12 };
  api.engine.next({ type: 'reading', prompt }, HANG);
  const response = await api.post('/chat/completions', { ...CHAT, stream: true }, { headers });
  await vi.waitFor(() => expect(api.engine.runs).toHaveLength(1));
  await response.body?.cancel();
  await vi.waitFor(async () => expect(await used()).toBe(12));
});

test('requests at once and a second host of the API spend one budget', async () => {
  const api = await openApi();
  const { key, headers, used } = await limited(api, { tokensPerDay: 6 * OF_AN_ANSWER });
  // Stands for another worker, or for this one after it was stopped.
  const other = createApp({ ...api.options });
  const url = `${ORIGIN}/v1/chat/completions`;
  const body = JSON.stringify(CHAT);
  const viaOther = () =>
    other(new Request(url, { method: 'POST', body, headers: { authorization: `Bearer ${key}` } }));
  const asked = [0, 1, 2].flatMap(() => [
    viaOther(),
    api.post('/chat/completions', CHAT, { headers }),
  ]);
  for (const response of await Promise.all(asked)) await response.text();
  expect(await used()).toBe(6 * OF_AN_ANSWER);
  expect((await viaOther()).status).toBe(429);
  expect((await api.post('/chat/completions', CHAT, { headers })).status).toBe(429);
});

/** Runs one generation after the other, as a model does. */
function inTurns(engine: ApiEngine): ApiEngine {
  let turn = Promise.resolve();
  return {
    async run(job, signal, take) {
      const before = turn;
      const own = Promise.withResolvers<void>();
      turn = own.promise;
      try {
        await before;
        await engine.run(job, signal, take);
      } finally {
        own.resolve();
      }
    },
  };
}

test('of 100 requests at once, those are refused whose turn comes when the budget is used', async () => {
  const api = await openApi({ via: inTurns });
  const { headers, used } = await limited(api, { tokensPerDay: 5 * OF_AN_ANSWER });
  const bodies = [CHAT, { ...CHAT, stream: true }];
  const asked = Array.from({ length: 100 }, (_, index) =>
    api.post('/chat/completions', bodies[index % 2], { headers }),
  );
  const responses = await Promise.all(asked);
  const texts = await Promise.all(responses.map((response) => response.text()));
  expect(texts.filter((each) => each.includes('Hello'))).toHaveLength(5);
  expect(responses.filter(({ status }) => status === 429)).toHaveLength(95);
  expect(await used()).toBe(5 * OF_AN_ANSWER);
});

const QUESTIONS = [{ type: 'predicate', instructions: 'It is a greeting.' }];

test.each([
  ['/embeddings', { model: EMBEDDER, input: 'Hi' }],
  ['/embeddings', { model: EMBEDDER, input: ['Hi', 'there', 'all'] }],
  ['/rerank', { model: RANKER, query: 'q', documents: ['d'] }],
  ['/decisions', { model: MODEL, input: 'Hi', questions: QUESTIONS }],
  ['/messages', { ...CHAT, max_tokens: 9 }],
  ['/responses', { model: MODEL, input: 'Hi' }],
])(
  'of 100 requests at once to %s, only those begin that the budget is left for',
  async (path, body) => {
    const api = await openApi({ via: inTurns });
    const one = await limited(api, { tokensPerDay: 1_000 });
    await (await api.post(path, body, { headers: one.headers })).text();
    const cost = (await one.used()) ?? 0;
    const { headers, used } = await limited(api, { tokensPerDay: 2 * cost });
    const asked = Array.from({ length: 100 }, () => api.post(path, body, { headers }));
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(2);
    expect(statuses.filter((status) => status === 429)).toHaveLength(98);
    expect([cost, await used()]).toEqual([expect.toSatisfy((tokens) => tokens > 0), 2 * cost]);
  },
);

test('of 128 prompts in one request, none begins when the budget is used', async () => {
  const api = await openApi({ via: inTurns });
  const { headers, used } = await limited(api, { tokensPerDay: 50 });
  const prompt = Array.from({ length: 128 }, () => 'Hi');
  const response = await api.post('/completions', { model: MODEL, prompt }, { headers });
  await response.text().catch(() => undefined);
  expect(await used()).toBe(5 * OF_AN_ANSWER);
});

test('a request with many prompts is ended by the budget', async () => {
  const api = await openApi();
  const { headers, used } = await limited(api, { tokensPerDay: 5 * OF_AN_ANSWER });
  const prompts = Array.from({ length: 128 }, (_, index) => `p${index}`);
  const response = await api.post(
    '/completions',
    { model: MODEL, prompt: prompts, stream: true },
    {
      headers,
    },
  );
  expect(await response.text()).toContain('token_budget_exceeded');
  expect(api.engine.runs).toHaveLength(5);
  expect(await used()).toBe(5 * OF_AN_ANSWER);
});
