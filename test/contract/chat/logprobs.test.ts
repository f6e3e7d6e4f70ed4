import { describe, expect, test } from 'vitest';
import type { GenerateEvent, TokenChance } from '../../../src/core/operations/events/events.ts';
import { MODEL, openApi } from '../support/api.ts';
import { chunksOf, json, type ChatBody } from '../support/read.ts';
import { finish } from '../support/test-engine.ts';

const CHAT = { model: MODEL, messages: [{ role: 'user' as const, content: 'Hi' }] };

const chance = (token: string, logprob: number): TokenChance => {
  return { token, logprob, bytes: [...new TextEncoder().encode(token)] };
};

const hello: GenerateEvent = {
  type: 'text',
  text: 'Hello',
  logprobs: [{ ...chance('Hello', -0.25), top: [chance('Hello', -0.25), chance('Hi', -2)] }],
};
const bear: GenerateEvent = {
  type: 'text',
  text: '🐻',
  logprobs: [
    { token: '\ufffd', bytes: [0xf0, 0x9f], logprob: -3, top: [] },
    { token: '\ufffd', bytes: [0x90, 0xbb], logprob: -0.5, top: [] },
  ],
};

const HELLO = {
  token: 'Hello',
  logprob: -0.25,
  bytes: [72, 101, 108, 108, 111],
  top_logprobs: [
    { token: 'Hello', logprob: -0.25, bytes: [72, 101, 108, 108, 111] },
    { token: 'Hi', logprob: -2, bytes: [72, 105] },
  ],
};
const BEAR = [
  { token: '\ufffd', logprob: -3, bytes: [0xf0, 0x9f], top_logprobs: [] },
  { token: '\ufffd', logprob: -0.5, bytes: [0x90, 0xbb], top_logprobs: [] },
];

describe('logprobs', () => {
  test('of a whole answer are those of its tokens, in OpenAI’s shape', async () => {
    const api = await openApi();
    api.engine.next(hello, bear, finish());
    const asked = { ...CHAT, logprobs: true, top_logprobs: 2 };
    const body = await json<ChatBody>(await api.post('/chat/completions', asked));
    expect(body.choices[0]?.logprobs).toEqual({ content: [HELLO, ...BEAR], refusal: null });
    expect(api.engine.last.job.topLogprobs).toBe(2);
  });

  test('of a streamed answer are in the chunk with the text of their tokens', async () => {
    const api = await openApi();
    api.engine.next(hello, bear, finish());
    const asked = { ...CHAT, logprobs: true, top_logprobs: 2, stream: true };
    const chunks = await chunksOf(await api.post('/chat/completions', asked));
    expect(chunks.map(({ choices }) => choices[0]?.logprobs)).toEqual([
      null,
      { content: [HELLO], refusal: null },
      { content: BEAR, refusal: null },
      null,
    ]);
  });

  test.each([{}, { top_logprobs: null }, { top_logprobs: 0 }])(
    'without alternatives: %j',
    async (rest) => {
      const api = await openApi();
      await api.post('/chat/completions', { ...CHAT, logprobs: true, ...rest });
      expect(api.engine.last.job.topLogprobs).toBe(0);
    },
  );

  test('are null if they were not asked for, and the engine is not asked for them', async () => {
    const api = await openApi();
    for (const rest of [{}, { logprobs: null }, { logprobs: false, top_logprobs: 0 }]) {
      const response = await api.post('/chat/completions', { ...CHAT, ...rest });
      expect((await json<ChatBody>(response)).choices[0]?.logprobs).toBeNull();
      expect(api.engine.last.job).not.toHaveProperty('topLogprobs');
    }
  });

  test('are read by the openai package', async () => {
    const api = await openApi();
    api.engine.next(hello, bear, finish());
    const stream = api.client().chat.completions.stream({ ...CHAT, logprobs: true });
    const [choice] = (await stream.finalChatCompletion()).choices;
    const bytes = choice?.logprobs?.content?.flatMap((token) => token.bytes ?? []) ?? [];
    expect(new TextDecoder().decode(Uint8Array.from(bytes))).toBe(choice?.message.content);
  });
});
