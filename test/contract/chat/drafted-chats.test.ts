import { expect, test, vi } from 'vitest';
import { anyChat, below, saidStreamed, saidWhole, type Choice, type Chunk } from './any-chats.ts';
import { openApi } from '../support/api.ts';
import { LlamaCppEngine } from '../support/llamacpp-engine.ts';
import { chunksOf, json } from '../support/read.ts';

vi.setConfig({ testTimeout: 280_000 });

const REQUESTS = Number(process.env['DRAFTED_CHATS'] ?? 24);

test('chats are the same with drafts and without, whole and streamed, and with a prediction', async () => {
  // Both get the same requests, so that their KV caches hold the same.
  const [plain, drafting] = [
    new LlamaCppEngine(undefined, { mostDrafted: 0 }),
    new LlamaCppEngine(),
  ];
  const send = async (engine: LlamaCppEngine, body: object) => {
    const api = await openApi({ via: () => engine });
    const response = await api.post('/chat/completions', body);
    expect(response.status, JSON.stringify(body)).toBe(200);
    return response;
  };
  let drafted = 0;
  for (let chat = 0; chat < REQUESTS; chat++) {
    const body = anyChat();
    const whole = async (engine: LlamaCppEngine) => {
      const answer = await json<{ choices: Choice[]; timings: { draft_n?: number } }>(
        await send(engine, { ...body, timings_per_token: true }),
      );
      return { said: answer.choices.map(saidWhole), drafts: answer.timings.draft_n ?? 0 };
    };
    const { said, drafts } = await whole(plain);
    expect(drafts).toBe(0);
    const answer = await whole(drafting);
    expect(answer.said, JSON.stringify(body)).toEqual(said);
    drafted += answer.drafts;
    const streamed = async (engine: LlamaCppEngine, more: object = {}) =>
      saidStreamed(await chunksOf<Chunk>(await send(engine, { ...body, ...more, stream: true })));
    const prediction = { type: 'content', content: said[0]?.text.slice(below(9)) ?? '' };
    const expected = await streamed(plain);
    expect(await streamed(drafting, { prediction }), JSON.stringify(body)).toEqual(expected);
  }
  expect(drafted).toBeGreaterThan(0);
});
