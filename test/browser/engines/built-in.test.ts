import type { BrowserContext, Page } from 'playwright/test';
import { refusal } from '../support/chat.ts';
import { begin, expect, openPage, openStarted, test as base } from '../support/fixtures.ts';
import { holdOf } from '../support/hold.ts';
import { BUILT_IN, pretendNative, serveNativeSite } from '../support/sites/native-model.ts';
import { COUNTED, GREETING, user } from '../support/prompts.ts';
import type { TestSite } from '../support/site.ts';
import { startStream, untilEnded, untilLength } from '../support/streamed.ts';

/** `native`: a site without models; `talking`: a page of it in which the browser's model is installed. */
const test = base.extend<object, { native: TestSite; talking: Page }>({
  native: [
    async ({}, use) => {
      const site = await serveNativeSite();
      await use(site);
      await site.close();
    },
    { scope: 'worker' },
  ],
  talking: [
    async ({ profile, native }, use) => {
      await pretendNative(profile);
      await use(await openInstalled(profile, native));
    },
    { scope: 'worker' },
  ],
});

async function openInstalled(profile: BrowserContext, site: TestSite): Promise<Page> {
  const page = await openStarted(profile, site.url);
  // The stand-in for the browser's model hides itself while it starts.
  expect(await stateOf(page)).toBe('available');
  await installByClick(page);
  return page;
}

/** Resolves with the stages that were reported meanwhile. */
async function installByClick(page: Page): Promise<string[]> {
  await page.evaluate((id) => {
    const stages = new Set<string>();
    window.v1.onProgress(({ model, stage }) => model === id && stages.add(stage));
    const install = async () => {
      await window.v1.models.install(id);
      return [...stages];
    };
    const installing = new Promise<string[]>((resolve, reject) => {
      addEventListener('click', () => void install().then(resolve, reject), { once: true });
    });
    Object.assign(window, { installing });
  }, BUILT_IN);
  await page.mouse.click(5, 5);
  return page.evaluate(() => Reflect.get(window, 'installing') as Promise<string[]>);
}

function stateOf(page: Page): Promise<string | undefined> {
  return page.evaluate(
    async (wanted) => (await window.v1.models.list()).find(({ id }) => id === wanted)?.state,
    BUILT_IN,
  );
}

/** A JSON answer of the API. */
function ask(page: Page, path: string, body: object): Promise<Record<string, unknown>> {
  return page.evaluate(
    async ([to, given]) =>
      (await window.post(to, given)).json() as Promise<Record<string, unknown>>,
    [path, { model: BUILT_IN, ...body }] as const,
  );
}

const HELLO = [user('Hello!')];

test('a browser without a model of its own lists none', async ({ fresh, native }) => {
  const page = await openPage(fresh, native.url);
  await page.evaluate(() => Reflect.deleteProperty(globalThis, 'LanguageModel'));
  await begin(page);
  expect(await stateOf(page)).toBeUndefined();
  const failed = await page.evaluate(
    (model) => window.slashv1.start({ model }).catch((error: unknown) => String(error)),
    BUILT_IN,
  );
  expect(failed).toContain('This browser has no model of its own');
});

test('what a script has put in its place is not the browser’s', async ({ fresh, native }) => {
  const page = await openPage(fresh, native.url);
  await page.evaluate(() => {
    const LanguageModel = Object.assign(() => undefined, {
      availability: () => Promise.resolve('available'),
      create: () => Promise.reject(new Error('It would send prompts somewhere.')),
    });
    Object.defineProperty(globalThis, 'LanguageModel', { value: LanguageModel });
  });
  await begin(page);
  expect(await stateOf(page)).toBeUndefined();
});

test('it is downloaded after a click, in any tab', async ({ fresh, native }) => {
  await pretendNative(fresh);
  const leader = await openStarted(fresh, native.url);
  const page = await openStarted(fresh, native.url);
  expect(await stateOf(page)).toBe('available');
  const early = await page.evaluate(
    (id) => window.v1.models.install(id).catch((error: unknown) => String(error)),
    BUILT_IN,
  );
  expect(early).toContain('after a click');
  expect(await refusal(page, { model: BUILT_IN })).toMatchObject({ code: 'model_not_found' });
  expect(await installByClick(page)).toContain('download');
  expect([await stateOf(page), await stateOf(leader)]).toEqual(['installed', 'installed']);
  const { choices } = await ask(page, 'chat/completions', { messages: HELLO });
  expect(choices).toMatchObject([{ message: { content: GREETING }, finish_reason: 'stop' }]);
  await page.evaluate((id) => window.v1.models.load(id), BUILT_IN);
  expect(await stateOf(page)).toBe('loaded');
  await page.evaluate((id) => window.v1.models.unload(id), BUILT_IN);
  expect(await stateOf(page)).toBe('installed');
});

test('its limits are told', async ({ talking }) => {
  const { data } = await talking.evaluate(() => window.client.models.list());
  expect(data).toMatchObject([
    {
      id: BUILT_IN,
      owned_by: 'browser',
      context_length: 2048,
      supported_sampling_parameters: ['stop', 'max_tokens'],
      supported_features: ['json_mode', 'structured_outputs'],
    },
  ]);
});

test('chat, responses and messages are answered, with counted tokens', async ({ talking }) => {
  const chat = await ask(talking, 'chat/completions', { messages: HELLO });
  expect(chat).toMatchObject({ choices: [{ message: { content: GREETING } }] });
  const usage = chat['usage'] as { prompt_tokens: number; completion_tokens: number };
  expect(usage.prompt_tokens).toBeGreaterThan(2);
  expect(usage.completion_tokens).toBeGreaterThan(2);
  const response = await ask(talking, 'responses', { input: 'Hello!', instructions: 'Be kind.' });
  expect(response).toMatchObject({ status: 'completed', output: [{ type: 'message' }] });
  const message = await ask(talking, 'messages', { messages: HELLO, max_tokens: 100 });
  expect(message).toMatchObject({
    content: [{ type: 'text', text: GREETING }],
    stop_reason: 'end_turn',
    usage: { input_tokens: usage.prompt_tokens, output_tokens: usage.completion_tokens },
  });
  const counted = await ask(talking, 'messages/count_tokens', { messages: HELLO });
  expect(counted['input_tokens']).toBe(usage.prompt_tokens);
});

test('the answer is limited, stopped and repeated', async ({ talking }) => {
  const messages = [user('Count to 60.')];
  const short = await ask(talking, 'chat/completions', { messages, max_tokens: 5 });
  expect(short).toMatchObject({ choices: [{ finish_reason: 'length' }] });
  const { completion_tokens: tokens } = short['usage'] as { completion_tokens: number };
  expect(tokens).toBeGreaterThan(0);
  expect(tokens).toBeLessThanOrEqual(5);
  const stopped = await ask(talking, 'chat/completions', { messages, stop: '4', n: 2 });
  const [before] = COUNTED.split('4');
  expect(stopped['choices']).toMatchObject(
    [0, 1].map((index) => ({ index, message: { content: before }, finish_reason: 'stop' })),
  );
});

test('a schema, an object and a pattern are kept', async ({ talking }) => {
  const schema = {
    type: 'object',
    properties: { name: { type: 'string', maxLength: 5 } },
    required: ['name'],
    additionalProperties: false,
  };
  const formats = [
    [{ response_format: { type: 'json_schema', json_schema: { name: 'a', schema } } }, /^\{.*\}$/s],
    [{ guided_regex: '[0-9]{3}' }, /^\d{3}$/],
    [{ guided_choice: ['a.b', 'c'] }, /^(?:a\.b|c)$/],
  ] as const;
  for (const [format, expected] of formats) {
    const body = { messages: [user('A name?')], max_tokens: 60, ...format };
    const { choices } = await ask(talking, 'chat/completions', body);
    const [choice] = choices as { message: { content: string } }[];
    expect(choice?.message.content).toMatch(expected);
  }
});

const TOOL = { type: 'function', function: { name: 'a', parameters: { type: 'object' } } };

test('what it cannot do is refused by name', async ({ talking }) => {
  const cases: [Record<string, unknown>, string][] = [
    [{ temperature: 0.5 }, 'temperature'],
    [{ top_k: 5 }, 'top_k'],
    [{ top_p: 0.5 }, 'top_p'],
    [{ seed: 1 }, 'seed'],
    [{ frequency_penalty: 1 }, 'frequency_penalty'],
    [{ logit_bias: { 1: 5 } }, 'logit_bias'],
    [{ logprobs: true }, 'logprobs'],
    [{ tools: [TOOL] }, 'tools'],
    [{ min_tokens: 3 }, 'min_tokens'],
    [{ chat_template_kwargs: { a: 1 } }, 'chat_template_kwargs'],
    [{ messages: [...HELLO, { role: 'system', content: 'x' }] }, 'messages'],
  ];
  for (const [body, param] of cases) {
    const error = await refusal(talking, { model: BUILT_IN, messages: HELLO, ...body });
    expect(error, param).toMatchObject({ status: 400, code: 'unsupported_value', param });
  }
  const raw = await ask(talking, 'completions', { prompt: 'Once' });
  expect(raw).toMatchObject({ error: { code: 'unsupported_value', param: 'prompt' } });
  const nothing = { top_p: 1, frequency_penalty: 0, presence_penalty: 0, logit_bias: {} };
  const neutral = await ask(talking, 'chat/completions', { messages: HELLO, ...nothing });
  expect(neutral).toMatchObject({ choices: [{ message: { content: GREETING } }] });
});

test('temperature is taken where pages may choose it', async ({ fresh, native }) => {
  await pretendNative(fresh, { hasParams: true });
  const page = await openInstalled(fresh, native);
  const { data } = await page.evaluate(() => window.client.models.list());
  expect(data).toMatchObject([
    { supported_sampling_parameters: ['temperature', 'top_k', 'stop', 'max_tokens'] },
  ]);
  const cold = await ask(page, 'chat/completions', { messages: HELLO, temperature: 0, top_k: 1 });
  expect(cold).toMatchObject({ choices: [{ message: { content: GREETING } }] });
});

test('a prompt that does not fit is refused with its size', async ({ talking }) => {
  const messages = [user('word '.repeat(3000))];
  const error = await refusal(talking, { model: BUILT_IN, messages });
  expect(error).toMatchObject({ status: 400, code: 'context_length_exceeded', param: 'messages' });
  expect(error?.message).toMatch(/2048 tokens; the prompt has \d{4}/);
});

test('an aborted stream ends, and the next answer is whole', async ({ talking }) => {
  const body = { model: BUILT_IN, messages: [user('Count to 60.')], stream: true };
  const begun = await talking.evaluate(async (given) => {
    const leaving = new AbortController();
    const response = await window.post('chat/completions', given, { signal: leaving.signal });
    const reader = response.body?.getReader();
    await reader?.read();
    leaving.abort();
    return reader?.read().then(
      () => 'went on',
      (error: Error) => error.name,
    );
  }, body);
  expect(begun).toBe('AbortError');
  const { choices } = await ask(talking, 'chat/completions', { messages: HELLO });
  expect(choices).toMatchObject([{ message: { content: GREETING } }]);
});

test('the next tab continues an answer', async ({ fresh, native, closing }) => {
  const hold = closing(await holdOf(native));
  await pretendNative(fresh);
  const leader = await openInstalled(fresh, native);
  const reader = await openStarted(fresh, native.url);
  await hold.at({ tokens: 20 });
  await startStream(reader, { model: BUILT_IN, messages: [user('Count to 60.')] });
  await hold.untilHeld();
  await untilLength(reader, 10);
  await leader.close();
  await hold.release();
  const answer = await untilEnded(reader);
  expect(answer).toMatchObject({ status: 200, text: COUNTED, done: true, error: null });
  // The new leader continued the text; it did not write the beginning again.
  const prompted = await reader.evaluate(() => window.prompted);
  const begun: unknown = expect.stringMatching(/^1 2 3/);
  expect(prompted).toEqual([
    { role: 'user', content: 'Count to 60.' },
    { role: 'assistant', content: begun, prefix: true },
  ]);
});
