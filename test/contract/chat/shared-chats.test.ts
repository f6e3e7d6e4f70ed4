import { expect, test, vi } from 'vitest';
import { anyChat, saidStreamed, saidWhole, type Choice, type Chunk } from './any-chats.ts';
import { MODEL, openApi } from '../support/api.ts';
import { LlamaCppEngine } from '../support/llamacpp-engine.ts';
import { chunksOf, json } from '../support/read.ts';

vi.setConfig({ testTimeout: 280_000 });

const ROUNDS = Number(process.env['SHARED_CHATS'] ?? 6);

/** llama.cpp, and how many answers its batches were for. */
function watchedEngine() {
  const shared: number[] = [];
  const engine = new LlamaCppEngine(undefined, {
    watched: (module) =>
      new Proxy(module, {
        get(target, name) {
          const member: unknown = Reflect.get(target, name);
          if (name !== '_lc_decode_together' || typeof member !== 'function') return member;
          return (...values: number[]): unknown => {
            shared.push(values[0] ?? 0);
            return Reflect.apply(member, target, values);
          };
        },
      }),
  });
  return { engine, shared };
}

const COUNTING = {
  model: MODEL,
  messages: [{ role: 'user', content: 'Count to 100.' }],
  temperature: 0,
  max_tokens: 60,
};

async function apiOf(engine: LlamaCppEngine) {
  const api = await openApi({ via: () => engine });
  return (body: object, init: RequestInit = {}) => api.post('/chat/completions', body, init);
}

test('four chats at once say what each says alone, whole and streamed', async () => {
  const { engine, shared } = watchedEngine();
  const post = await apiOf(engine);
  const alone = await apiOf(new LlamaCppEngine());
  const said = async (send: typeof post, body: object) => {
    const response = await send(body);
    expect(response.status, JSON.stringify(body)).toBe(200);
    return 'stream' in body
      ? saidStreamed(await chunksOf<Chunk>(response))
      : (await json<{ choices: Choice[] }>(response)).choices.map(saidWhole);
  };
  // The model is loaded for the first one: until then, only one request runs.
  await said(post, COUNTING);
  await said(alone, COUNTING);
  for (let round = 0; round < ROUNDS; round++) {
    const bodies = Array.from({ length: 4 }, (_, index) => {
      const chat = anyChat();
      // A beginning of its own, so that it copies no other one's.
      const messages = chat.messages.map(({ role, content }) => ({
        role,
        content: `${round}${index} ${content}`,
      }));
      return { ...chat, messages, ...(index % 2 === 0 && { stream: true }) };
    });
    const together = await Promise.all(bodies.map((body) => said(post, body)));
    for (const [index, body] of bodies.entries()) {
      expect(together[index], JSON.stringify(body)).toEqual(await said(alone, body));
    }
  }
  expect(Math.max(...shared)).toBe(4);
});

test('a client that leaves, a full context and a broken schema end only their own chats', async () => {
  const { engine, shared } = watchedEngine();
  const post = await apiOf(engine);
  const expected = await json<{ choices: Choice[] }>(await post(COUNTING));
  const leaving = new AbortController();
  const left = post({ ...COUNTING, stream: true }, { signal: leaving.signal });
  const chats = [
    post(COUNTING),
    post({ ...COUNTING, max_tokens: 5000, ignore_eos: true }),
    post({
      ...COUNTING,
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'x', schema: { $ref: '#/no' } },
      },
    }),
  ];
  const reader = (await left).body?.getReader();
  await reader?.read();
  leaving.abort();
  await reader?.cancel().catch(() => undefined);
  const [whole, full, broken] = await Promise.all(chats);
  const { choices } = await json<{ choices: Choice[] }>(whole as Response);
  expect(choices.map(saidWhole)).toEqual(expected.choices.map(saidWhole));
  expect(broken?.status).toBe(400);
  const { choices: cut } = await json<{ choices: Choice[] }>(full as Response);
  expect(cut[0]?.finish_reason).toBe('length');
  expect(Math.max(...shared)).toBeGreaterThan(1);
});

test('if the worker ends, all chats go on where they were', async () => {
  const { engine } = watchedEngine();
  const post = await apiOf(engine);
  const bodies = [1, 2, 3].map((seed) => ({
    ...COUNTING,
    temperature: 0.8,
    seed,
    stream: true,
    messages: [{ role: 'user', content: `${seed} Count to 100.` }],
  }));
  await chunksOf(await post({ ...COUNTING, stream: true }));
  const expected = [];
  for (const body of bodies) expected.push(saidStreamed(await chunksOf<Chunk>(await post(body))));
  const again = new LlamaCppEngine();
  const fresh = await apiOf(again);
  await chunksOf(await fresh({ ...COUNTING, stream: true }));
  const chats = await Promise.all(bodies.map((body) => fresh(body)));
  again.endWorker();
  const said = await Promise.all(chats.map((chat) => chunksOf<Chunk>(chat)));
  expect(said.map(saidStreamed)).toEqual(expected);
  expect(again.loads).toBe(1);
});

test('a long prompt does not keep chats of others from being written', async () => {
  const { engine } = watchedEngine();
  const post = await apiOf(engine);
  await json(await post(COUNTING));
  const long = { role: 'user', content: 'one two three four '.repeat(100) };
  const order: string[] = [];
  const answer = async (name: string, body: object) => {
    const response = await post(body);
    expect(response.status).toBe(200);
    await response.arrayBuffer();
    order.push(name);
  };
  await Promise.all([
    answer('long', { ...COUNTING, messages: [long], max_tokens: 1 }),
    answer('short', { ...COUNTING, max_tokens: 20 }),
  ]);
  expect(order).toEqual(['short', 'long']);
});
