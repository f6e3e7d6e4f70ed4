import { describe, expect, test } from 'vitest';
import { CatalogStore } from '../../../src/core/catalog/catalog-store.ts';
import { databaseOpener } from '../../../src/core/database/database.ts';
import { MODEL, openApi } from '../support/api.ts';
import { chunksOf, errorOf, json, type ChatBody } from '../support/read.ts';
import { finish, text, type Step } from '../support/test-engine.ts';
import { VERSION } from '../../../src/core/version.ts';

const HI = { role: 'user', content: 'Hi' };
const BEGUN = { role: 'assistant', content: 'The sky' };
const TOOLS = [{ type: 'function', function: { name: 'f' } }];
const THOUGHT: Step = { type: 'reasoning', text: 'Hm.' };
const START: Step = { type: 'start', prompt: { promptTokens: 7, cachedTokens: 2 } };

async function ask(body: object, ...steps: Step[]) {
  const api = await openApi();
  if (steps.length > 0) api.engine.next(...steps);
  const request = { model: MODEL, messages: [HI], ...body };
  return { api, response: await api.post('/chat/completions', request) };
}

async function jobOf(body: object) {
  const { api, response } = await ask(body);
  expect(response.status, await response.text()).toBe(200);
  return api.engine.last.job;
}

async function refusal(body: object) {
  const { api, response } = await ask(body);
  expect(api.engine.runs).toEqual([]);
  return errorOf(response);
}

/** The fields of a chunk that only some requests ask for. */
type OddChunk = {
  usage?: object | null;
  timings?: object;
  prompt_progress?: object;
  queue?: object;
};

describe('an assistant’s message at the end', () => {
  const messages = [HI, BEGUN];

  test.each([
    {},
    { continue_final_message: true, add_generation_prompt: false },
    { tools: TOOLS },
    { tools: TOOLS, tool_choice: 'none' },
  ])('is continued: %j', async (body) => {
    expect((await jobOf({ messages, ...body })).prompt).toMatchObject({ continuesFinal: true });
  });

  test.each([
    { continue_final_message: false },
    { add_generation_prompt: true },
    { response_format: { type: 'json_object' } },
    { tools: TOOLS, tool_choice: 'required' },
    { messages: [HI, { role: 'assistant', content: '' }] },
    { messages: [...messages, HI] },
  ])('is followed by another one: %j', async (body) => {
    expect((await jobOf({ messages, ...body })).prompt).not.toHaveProperty('continuesFinal');
  });

  test('must be there and free of a format if the request insists', async () => {
    const continue_final_message = true;
    const param = 'continue_final_message';
    expect(await refusal({ continue_final_message })).toMatchObject({ status: 400, param });
    const format = { response_format: { type: 'json_object' } };
    const held = await refusal({ messages, continue_final_message, ...format });
    expect(held).toMatchObject({ status: 400, code: 'unsupported_value', param });
  });
});

describe('thinking', () => {
  test.each([
    [{ reasoning: { effort: 'low' } }, { enable_thinking: true, reasoning_effort: 'low' }],
    [{ reasoning: { enabled: false } }, { enable_thinking: false }],
    [{ reasoning: { enabled: true } }, { enable_thinking: true }],
    [
      { reasoning: { enabled: true }, chat_template_kwargs: { enable_thinking: false } },
      {
        enable_thinking: false,
      },
    ],
    [{ reasoning: {}, reasoning_format: 'auto', include_reasoning: true }, {}],
  ])('%j gives the template %j', async (body, templateOptions) => {
    expect((await jobOf(body)).prompt).toMatchObject({ templateOptions });
  });

  test('may be bounded', async () => {
    expect(await jobOf({ reasoning: { max_tokens: 64 } })).toMatchObject({ maxThinkingTokens: 64 });
  });

  test.each([{ reasoning: { exclude: true } }, { include_reasoning: false }])(
    'is left out by %j',
    async (body) => {
      const whole = await ask(body, THOUGHT, text('Hello'), finish());
      const { choices } = await json<ChatBody>(whole.response);
      expect(choices[0]?.message).toEqual({ role: 'assistant', content: 'Hello', refusal: null });
      const streamed = await ask({ ...body, stream: true }, THOUGHT, text('Hello'), finish());
      const deltas = (await chunksOf(streamed.response)).map((chunk) => chunk.choices[0]?.delta);
      expect(deltas).toEqual([{ role: 'assistant', content: '' }, { content: 'Hello' }, {}]);
    },
  );

  test('cannot be content', async () => {
    expect(await refusal({ reasoning_format: 'none' })).toMatchObject({
      status: 400,
      code: 'unsupported_value',
      param: 'reasoning_format',
    });
  });

  test.each(['reasoning', 'reasoning_content'])(
    'of earlier turns may be sent as %s',
    async (name) => {
      const messages = [HI, { role: 'assistant', content: 'Hello', [name]: 'Hm.' }, HI];
      expect((await jobOf({ messages })).prompt).toMatchObject({
        messages: [{}, { role: 'assistant', content: 'Hello', reasoning: 'Hm.' }, {}],
      });
    },
  );
});

describe('allowed tools', () => {
  const tools = ['a', 'b'].map((name) => ({ type: 'function', function: { name } }));
  const allowed = (mode: string, ...names: string[]) => ({
    type: 'allowed_tools',
    allowed_tools: { mode, tools: names.map((name) => ({ type: 'function', function: { name } })) },
  });

  test('are those that may be called', async () => {
    const job = await jobOf({ tools, tool_choice: allowed('required', 'b') });
    expect(job.tools).toMatchObject({ choice: 'required', allowed: ['b'] });
    expect(job.tools?.tools).toHaveLength(2);
  });

  test('must be offered', async () => {
    const param = 'tool_choice.allowed_tools.tools';
    const error = await refusal({ tools, tool_choice: allowed('auto', 'c') });
    expect(error).toMatchObject({ status: 400, code: null, param });
  });
});

describe('the end of an answer', () => {
  test('is as the request says', async () => {
    const stop = Array.from({ length: 10 }, (_, nth) => `stop ${nth}`);
    const job = await jobOf({ stop, min_tokens: 3, ignore_eos: true, stop_token_ids: [7] });
    const ending = { minTokens: 3, ignoresEnd: true, stopTokenIds: [7] };
    expect(job).toMatchObject({ stop, ending });
    expect(
      await jobOf({ min_tokens: 0, ignore_eos: false, stop_token_ids: [] }),
    ).not.toHaveProperty('ending');
  });

  test('includes the stop string if it is wanted', async () => {
    const ended: Step = { type: 'finish', reason: 'stop', stop: 'END', usage: { ...USAGE } };
    const body = { include_stop_str_in_output: true, stop: 'END' };
    const { response } = await ask(body, text('Hello'), ended);
    expect((await json<ChatBody>(response)).choices[0]?.message.content).toBe('HelloEND');
    const plain = await ask({ stop: 'END' }, text('Hello'), ended);
    expect((await json<ChatBody>(plain.response)).choices[0]?.message.content).toBe('Hello');
  });
});

const USAGE = { promptTokens: 7, completionTokens: 3, cachedTokens: 2 };

describe('what a request may see beside the answer', () => {
  const counted: Step[] = [
    START,
    { type: 'text', text: 'Hel', tokens: 1 },
    { type: 'text', text: 'lo', tokens: 2 },
    finish('stop', USAGE),
  ];

  test('is the usage in every chunk', async () => {
    const options = { include_usage: true, continuous_usage_stats: true };
    const { api, response } = await ask({ stream: true, stream_options: options }, ...counted);
    const chunks = await chunksOf<OddChunk>(response);
    expect(chunks.map(({ usage }) => usage)).toMatchObject([
      { completion_tokens: 0 },
      { prompt_tokens: 7, completion_tokens: 1, total_tokens: 8 },
      { completion_tokens: 2 },
      { completion_tokens: 3 },
      { completion_tokens: 3, total_tokens: 10 },
    ]);
    expect(api.engine.last.job.countsTokens).toBe(true);
  });

  test('is how fast it is made', async () => {
    const timings = {
      cache_n: 2,
      prompt_n: 5,
      predicted_n: 3,
      prompt_ms: expect.any(Number),
      predicted_per_second: expect.any(Number),
    };
    const { response } = await ask({ timings_per_token: true }, ...counted);
    expect(await json(response)).toMatchObject({ timings });
    const streamed = await ask({ timings_per_token: true, stream: true }, ...counted);
    const chunks = await chunksOf<OddChunk>(streamed.response);
    expect(chunks.at(-1)).toMatchObject({ timings });
    expect(chunks[1]).toMatchObject({ timings: { predicted_n: 1 } });
  });

  test('is how the prompt was read', async () => {
    const { response } = await ask({ return_progress: true, stream: true }, ...counted);
    const [progress] = (await chunksOf<OddChunk>(response)).flatMap(
      ({ prompt_progress: each }) => each ?? [],
    );
    expect(progress).toEqual({ total: 7, cache: 2, processed: 7, time_ms: expect.any(Number) });
  });

  test('is how far the prompt was read, while it is read', async () => {
    const reading = (readTokens: number): Step => ({
      type: 'reading',
      prompt: { promptTokens: 70, cachedTokens: 6, readTokens },
    });
    const start = { type: 'start', prompt: { promptTokens: 70, cachedTokens: 6 } } as const;
    const steps = [reading(38), reading(70), start, text('a'), finish()];
    const { api, response } = await ask({ return_progress: true, stream: true }, ...steps);
    const told = (await chunksOf<OddChunk>(response)).flatMap(
      ({ prompt_progress: each }) => each ?? [],
    );
    expect(told).toMatchObject([
      { total: 70, cache: 6, processed: 38 },
      { total: 70, cache: 6, processed: 70 },
    ]);
    expect(api.engine.last.job.tellsReading).toBe(true);
  });

  test('is how many requests are before it, while it waits', async () => {
    const queued = (before: number): Step => ({ type: 'queued', before });
    const steps = [queued(2), queued(1), text('a'), finish()];
    const { response } = await ask({ return_progress: true, stream: true }, ...steps);
    const chunks = await chunksOf<OddChunk & { choices: unknown[] }>(response);
    const waiting = chunks.filter(({ queue }) => queue);
    expect(waiting).toMatchObject([
      { queue: { before: 2 }, choices: [] },
      { queue: { before: 1 }, choices: [] },
    ]);
  });

  test('is what generates', async () => {
    const { response } = await ask({});
    expect(await json(response)).toMatchObject({ system_fingerprint: `slashv1-${VERSION}-webllm` });
  });

  test.each(['software', 'hardware'] as const)(
    'is the engine of the variant for a %s GPU',
    async (gpu) => {
      const api = await openApi();
      const catalog = new CatalogStore(databaseOpener(api.scope));
      const entry = await catalog.get(MODEL);
      const [variant] = entry?.variants ?? [];
      if (!entry || variant?.engine !== 'webllm') throw new Error('The catalog has another model.');
      const { quantization, needs } = variant;
      const source = { kind: 'url' as const, urls: [] };
      const named = { id: 'llamacpp-Q8_0', engine: 'llamacpp' as const, parts: [] };
      const onCpu = { ...named, quantization, needs, source };
      await catalog.put({ ...entry, variants: [variant, onCpu] });
      await api.device.put({ gpu });
      const engine = gpu === 'software' ? 'llamacpp' : 'webllm';
      for (const path of ['/chat/completions', '/completions']) {
        const response = await api.post(path, { model: MODEL, messages: [HI], prompt: 'Hi' });
        expect(await json(response)).toMatchObject({
          system_fingerprint: `slashv1-${VERSION}-${engine}`,
        });
      }
    },
  );
});

test('several answers can be streamed, one after the other', async () => {
  const first = { ...USAGE, reasoningTokens: 1 };
  const body = { n: 2, stream: true, stream_options: { include_usage: true } };
  const steps = [text('a'), finish('stop', first), text('b'), finish('length', USAGE)];
  const { response } = await ask(body, ...steps);
  const chunks = await chunksOf(response);
  const described = chunks.flatMap(({ choices }) =>
    choices.map((it) => [it.index, it.delta.content, it.finish_reason]),
  );
  expect(described).toEqual([
    ...[
      [0, '', null],
      [1, '', null],
      [0, 'a', null],
      [0, undefined, 'stop'],
    ],
    ...[
      [1, 'b', null],
      [1, undefined, 'length'],
    ],
  ]);
  expect(chunks.at(-1)?.usage).toMatchObject({ prompt_tokens: 7, completion_tokens: 6 });
  expect(chunks.filter(({ usage }) => usage !== null)).toHaveLength(1);
});
