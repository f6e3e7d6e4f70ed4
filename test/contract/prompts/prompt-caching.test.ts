import { describe, expect, test } from 'vitest';
import { MODEL, openApi } from '../support/api.ts';
import { chunksOf, errorOf, json } from '../support/read.ts';
import { finish, text } from '../support/test-engine.ts';

const KEEP = { mode: 'explicit' };
const EPHEMERAL = { type: 'ephemeral' };
const EXPLICIT = { prompt_cache_options: { mode: 'explicit' } };
const user = (content: unknown) => ({ role: 'user', content });
const part = (written: string, breakpoint?: object) => ({
  type: 'text',
  text: written,
  prompt_cache_breakpoint: breakpoint,
});

interface ChatUsage {
  prompt_tokens: number;
  prompt_tokens_details: { cached_tokens: number; cache_write_tokens: number };
}

interface Chat {
  usage: ChatUsage;
}

describe('fields of chats, responses and decisions', () => {
  const CHAT = { model: MODEL, messages: [user('Hi')] };
  const RESPONSE = { model: MODEL, input: 'Hi' };
  const questions = [{ type: 'predicate', instructions: 'Is it a greeting?' }];
  const DECISION = { model: MODEL, input: 'Hi', questions };
  const ENDPOINTS: [string, object][] = [
    ['/chat/completions', CHAT],
    ['/responses', RESPONSE],
    ['/decisions', DECISION],
  ];

  describe.each(ENDPOINTS)('%s', (path, request) => {
    test.each([
      [{ prompt_cache_key: 'k' }, { key: 'k' }],
      [EXPLICIT, { isExplicit: true }],
      [{ prompt_cache_options: { ttl: '12h' } }, { hours: 12 }],
      [{ prompt_cache_retention: '24h' }, { hours: 24 }],
      [{ prompt_cache_options: { mode: 'implicit', ttl: '30m' } }, undefined],
      [{ prompt_cache_options: null, prompt_cache_retention: 'in_memory' }, undefined],
    ])('%j reaches the engine', async (fields, caching) => {
      const api = await openApi();
      const response = await api.post(path, { ...request, ...fields });
      expect(response.status).toBe(200);
      const [run] = path === '/decisions' ? api.engine.decisions : api.engine.runs;
      expect(run?.job.caching).toEqual(caching);
    });

    test.each([
      [{ prompt_cache_key: 7 }, 'prompt_cache_key'],
      [{ prompt_cache_options: 'explicit' }, 'prompt_cache_options'],
      [{ prompt_cache_options: { mode: 'auto' } }, 'prompt_cache_options.mode'],
      [{ prompt_cache_options: { ttl: '5m' } }, 'prompt_cache_options.ttl'],
      [{ prompt_cache_options: { prewarm: true } }, 'prompt_cache_options.prewarm'],
      [{ prompt_cache_retention: '1h' }, 'prompt_cache_retention'],
    ])('%j is refused', async (fields, param) => {
      const api = await openApi();
      const response = await api.post(path, { ...request, ...fields });
      expect(response.status).toBe(400);
      expect(await errorOf(response)).toMatchObject({ param });
      expect(api.engine.runs).toEqual([]);
    });
  });

  const at = (name: string) => `messages[0].content[0].prompt_cache_breakpoint${name}`;
  test.each([
    [part('x', { mode: 'implicit' }), at('.mode')],
    [part('x', {}), at('.mode')],
    [part('x', { mode: 'explicit', ttl: '1h' }), at('.ttl')],
    [part('x', []), at('')],
    [part('', KEEP), at('')],
  ])('a breakpoint that is not as OpenAI has it is refused: %j', async (given, param) => {
    const api = await openApi();
    const response = await api.post('/chat/completions', { ...CHAT, messages: [user([given])] });
    expect(response.status).toBe(400);
    expect(await errorOf(response)).toMatchObject({ param });
  });

  test.each([
    [
      '/chat/completions',
      { ...CHAT, prediction: { type: 'content', content: [part('x'), part('x', KEEP)] } },
      'prediction.content[1].prompt_cache_breakpoint',
    ],
    [
      '/decisions',
      {
        ...DECISION,
        questions: [
          {
            type: 'predicate',
            instructions: [{ type: 'input_text', text: 'x', prompt_cache_breakpoint: KEEP }],
          },
        ],
      },
      'questions[0].instructions[0].prompt_cache_breakpoint',
    ],
    [
      '/responses',
      {
        ...RESPONSE,
        input: [
          {
            type: 'reasoning',
            content: [{ type: 'reasoning_text', text: 'x', prompt_cache_breakpoint: KEEP }],
          },
          user('Hi'),
        ],
      },
      'input[0].content[0].prompt_cache_breakpoint',
    ],
    [
      '/messages',
      {
        ...CHAT,
        max_tokens: 5,
        messages: [
          user('Hi'),
          {
            role: 'assistant',
            content: [{ type: 'thinking', thinking: 'x', cache_control: EPHEMERAL }],
          },
          user('Hi'),
        ],
      },
      'messages[1].content[0].cache_control',
    ],
  ])(
    'a breakpoint on a part that the prompt does not begin with is refused: %s',
    async (path, request, param) => {
      const api = await openApi();
      const response = await api.post(path, request);
      expect(response.status).toBe(400);
      expect((await response.text()).includes(param)).toBe(true);
      expect(api.engine.runs).toEqual([]);
    },
  );

  test.each([
    [{ type: 'persistent' }, 'cache_control.type'],
    [{ type: 'ephemeral', ttl: '30m' }, 'cache_control.ttl'],
    ['ephemeral', 'cache_control'],
  ])('cache_control %j is refused where it stands', async (given, param) => {
    const api = await openApi();
    const places: [object, string][] = [
      [{ cache_control: given }, param],
      [{ system: [{ type: 'text', text: 'x', cache_control: given }] }, `system[0].${param}`],
      [{ tools: [{ name: 'f', input_schema: {}, cache_control: given }] }, `tools[0].${param}`],
      [
        { messages: [user([{ type: 'text', text: 'x', cache_control: given }])] },
        `messages[0].content[0].${param}`,
      ],
    ];
    for (const [fields, field] of places) {
      const response = await api.post('/messages', { ...CHAT, max_tokens: 5, ...fields });
      expect(response.status).toBe(400);
      expect(await response.text()).toContain(`"param":"${field}"`);
    }
  });
});

describe('usage', () => {
  const usage = {
    promptTokens: 40,
    completionTokens: 3,
    cachedTokens: 5,
    cacheWrites: { short: 20, long: 8 },
  };
  const ask = async (path: string, request: object) => {
    const api = await openApi();
    api.engine.next(text('Hello'), finish('stop', usage));
    return api.post(path, { model: MODEL, ...request });
  };
  const messages = [user('Hi')];

  test('of a chat has what was written beside what was read', async () => {
    const { usage: told } = await json<Chat>(await ask('/chat/completions', { messages }));
    expect(told.prompt_tokens_details).toEqual({ cached_tokens: 5, cache_write_tokens: 28 });
  });

  test('of a streamed chat has it, too', async () => {
    const stream = { stream: true, stream_options: { include_usage: true } };
    const chunks = await chunksOf<Chat>(await ask('/chat/completions', { messages, ...stream }));
    expect(chunks.at(-1)?.usage.prompt_tokens_details).toEqual({
      cached_tokens: 5,
      cache_write_tokens: 28,
    });
  });

  test('of a response tells for how long', async () => {
    const response = await json<{ usage: object }>(await ask('/responses', { input: 'Hi' }));
    expect(response.usage).toMatchObject({
      input_tokens: 40,
      input_tokens_details: {
        cached_tokens: 5,
        cache_write_tokens: 28,
        cache_write_tokens_details: { ttl_30m_tokens: 20, ttl_12h_tokens: 8 },
      },
    });
  });

  test('of a message divides the prompt in three', async () => {
    const message = await json<{ usage: object }>(
      await ask('/messages', { messages, max_tokens: 5 }),
    );
    expect(message.usage).toMatchObject({
      input_tokens: 7,
      cache_creation_input_tokens: 28,
      cache_read_input_tokens: 5,
      cache_creation: { ephemeral_5m_input_tokens: 20, ephemeral_1h_input_tokens: 8 },
    });
  });
});
