import type OpenAI from 'openai';
import type { BrowserContext, Page } from 'playwright/test';
import { postJson } from '../support/chat.ts';
import { expect, openStarted, test, TINY } from '../support/fixtures.ts';
import { untilWaiting } from '../support/models.ts';
import { CAPITAL, PARIS } from '../support/prompts.ts';
import type { Hold } from '../support/hold.ts';
import type { TestSite } from '../support/site.ts';
import { POLLING } from '../support/streamed.ts';

/** What a page has received of a stream with `return_progress`. */
interface Followed {
  /** How many requests were before it. */
  places: number[];
  /** How many tokens of its prompt were read, whenever that was told. */
  reads: number[];
  total: number;
  /** Tokens of the prompt, as the usage at the end has it. */
  cached: number | undefined;
  text: string;
}

interface Chunk extends OpenAI.ChatCompletionChunk {
  queue?: { before: number };
  prompt_progress?: { processed: number; total: number };
}

declare global {
  interface Window {
    followed: Record<string, Followed>;
    /** Names of the streams that are over, in this order. */
    ended: string[];
    /** Abort the streams. */
    leave: Record<string, AbortController>;
  }
}

/** Sends a chat request with this key; `window.followed[name]` shows what has arrived. */
function ask(page: Page, name: string, apiKey: string, content: string): Promise<void> {
  const messages = [{ role: 'user' as const, content }];
  const body = { model: TINY, messages, temperature: 0, max_tokens: 20, return_progress: true };
  return page.evaluate(followInPage, { name, apiKey, body });
}

/** Runs in the page: it can use nothing from this file. */
function followInPage({
  name,
  apiKey,
  body,
}: {
  name: string;
  apiKey: string;
  body: OpenAI.ChatCompletionCreateParamsNonStreaming;
}): void {
  const got: Followed = { places: [], reads: [], total: 0, cached: undefined, text: '' };
  const leaving = new AbortController();
  window.followed = { ...window.followed, [name]: got };
  window.leave = { ...window.leave, [name]: leaving };
  window.ended ??= [];
  const follow = async () => {
    const { completions } = window.client.withOptions({ apiKey }).chat;
    const options = { stream: true, stream_options: { include_usage: true } } as const;
    const { signal } = leaving;
    for await (const chunk of await completions.create({ ...body, ...options }, { signal })) {
      const { queue, prompt_progress: progress, choices, usage }: Chunk = chunk;
      if (queue) got.places.push(queue.before);
      if (progress) got.reads.push(progress.processed);
      got.total = progress?.total ?? got.total;
      got.cached = usage?.prompt_tokens_details?.cached_tokens ?? got.cached;
      got.text += choices[0]?.delta.content ?? '';
    }
  };
  void follow().finally(() => window.ended.push(name));
}

const followed = (page: Page, name: string) =>
  page.evaluate((asked) => window.followed[asked], name);

/** The ids in `GET /v1/models`. */
const models = (page: Page, apiKey: string) =>
  page.evaluate(async (key) => {
    const { data } = await window.client.withOptions({ apiKey: key }).models.list();
    return data.map(({ id }) => id);
  }, apiKey);

/** A prompt of about 60 batches. */
const LONG = 'The sky is blue. '.repeat(280);

/** A page with keys of two clients. The model is held while it reads the long prompt of the first one. */
async function reading(fresh: BrowserContext, site: TestSite, hold: Hold) {
  const page = await openStarted(fresh, site.url, { model: TINY });
  const [own, other] = await page.evaluate(
    async () => [window.v1.apiKey, await window.v1.keys.create({ label: 'other' })] as const,
  );
  await hold.at({ batches: 2 });
  await ask(page, 'long', own, LONG);
  await hold.untilHeld();
  await page.waitForFunction(() => window.followed['long']?.reads.length, null, POLLING);
  return { page, own, other };
}

test('while a long prompt is read, other requests are answered', async ({ fresh, site, hold }) => {
  const { page, own, other } = await reading(fresh, site, hold);
  await ask(page, 'same client', own, 'Hello!');
  for (const name of ['other client', 'again']) await ask(page, name, other, CAPITAL);
  await untilWaiting(page, 3);
  // The long prompt has many more batches.
  await hold.at({ batches: 40 });
  await page.waitForFunction(() => window.ended.length === 3, null, POLLING);
  expect(await page.evaluate(() => window.ended.toSorted())).toEqual([
    ...['again', 'other client', 'same client'],
  ]);
  for (const name of ['other client', 'again']) {
    expect(await followed(page, name)).toMatchObject({ text: PARIS, places: [] });
  }
  expect(await models(page, other)).toContain(TINY);
  const { reads = [], total = 0, text } = (await followed(page, 'long')) ?? {};
  expect(text).toBe('');
  expect(reads.at(-1)).toBeLessThan(total - 64);

  // The tokens of a text are counted meanwhile, too.
  const counting = postJson(page, '/tokenize', { model: TINY, prompt: 'Hello!' });
  await hold.release();
  expect(await counting).toMatchObject({ count: 2 });
  await page.waitForFunction(() => window.ended.length === 4, null, POLLING);
  // Nothing was read twice, and nothing that it has read itself counts as cached.
  const long = await followed(page, 'long');
  expect(long?.reads).toEqual(long?.reads.toSorted((a, b) => a - b));
  expect(long).toMatchObject({ cached: 0 });
  const alone = await postJson(page, '/chat/completions', {
    model: TINY,
    messages: [{ role: 'user', content: LONG }],
    temperature: 0,
    max_tokens: 20,
  });
  expect(alone).toMatchObject({ choices: [{ message: { content: long?.text } }] });
});

test('a client that leaves while others are answered in between loses nothing of its prompt', async ({
  fresh,
  site,
  hold,
}) => {
  const { page, own, other } = await reading(fresh, site, hold);
  await ask(page, 'other client', other, CAPITAL);
  await untilWaiting(page, 1);
  await hold.at({ batches: 20, tokens: 3 });
  await page.waitForFunction(() => window.followed['other client']?.text, null, POLLING);
  await page.evaluate(() => window.leave['long']?.abort());
  await page.waitForFunction(() => window.ended.includes('long'), null, POLLING);
  await hold.release();
  await page.waitForFunction(() => window.ended.length === 2, null, POLLING);
  expect(await followed(page, 'other client')).toMatchObject({ text: PARIS });
  await ask(page, 'long again', own, LONG);
  await page.waitForFunction(() => window.ended.includes('long again'), null, POLLING);
  const again = await followed(page, 'long again');
  expect(again?.cached).toBeGreaterThanOrEqual(32);
  expect(again?.reads[0]).toBeGreaterThan(again?.cached ?? Infinity);
});
