import type OpenAI from 'openai';
import type { Page } from 'playwright/test';
import { postJson } from './support/chat.ts';
import { expect, openStarted, test, TINY } from './support/fixtures.ts';
import { CAPITAL, PARIS } from './support/prompts.ts';
import { slowDownNow } from './support/slow-llama.ts';
import { POLLING } from './support/streamed.ts';

/** What a page has received of a stream with `return_progress`. */
interface Followed {
  /** How many requests were before it. */
  places: number[];
  /** Tokens of its prompt. */
  read: number;
  total: number;
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
  const got: Followed = { places: [], read: 0, total: 0, text: '' };
  window.followed = { ...window.followed, [name]: got };
  window.ended ??= [];
  const follow = async () => {
    const { completions } = window.client.withOptions({ apiKey }).chat;
    for await (const chunk of await completions.create({ ...body, stream: true })) {
      const { queue, prompt_progress: progress, choices }: Chunk = chunk;
      if (queue) got.places.push(queue.before);
      got.read = progress?.processed ?? got.read;
      got.total = progress?.total ?? got.total;
      got.text += choices[0]?.delta.content ?? '';
    }
  };
  void follow().finally(() => window.ended.push(name));
}

const followed = (page: Page, name: string) =>
  page.evaluate((asked) => window.followed[asked], name);

const untilQueued = (page: Page, name: string) =>
  page.waitForFunction((asked) => window.followed[asked]?.places.length, name, POLLING);

/** The ids in `GET /v1/models`. */
const models = (page: Page, apiKey: string) =>
  page.evaluate(async (key) => {
    const { data } = await window.client.withOptions({ apiKey: key }).models.list();
    return data.map(({ id }) => id);
  }, apiKey);

test('while a long prompt is read, another client is answered, and has the next turn', async ({
  fresh,
  site,
}) => {
  const page = await openStarted(fresh, site.url, { model: TINY });
  const [own, other] = await page.evaluate(
    async () => [window.v1.apiKey, await window.v1.keys.create({ label: 'other' })] as const,
  );
  // The prompt has about 60 batches, so there is time for all of this.
  const fullSpeed = await slowDownNow(page, 300);
  await ask(page, 'long', own, 'The sky is blue. '.repeat(280));
  await page.waitForFunction(() => window.followed['long']?.read, null, POLLING);
  await ask(page, 'same client', own, 'Hello!');
  await untilQueued(page, 'same client');
  await ask(page, 'other client', other, CAPITAL);
  await untilQueued(page, 'other client');
  expect(await models(page, other)).toContain(TINY);
  expect(await postJson(page, '/tokenize', { model: TINY, prompt: 'Hello!' })).toMatchObject({
    count: 2,
  });

  // All that was answered in the middle of the long prompt.
  const { read = 0, total = 0, text } = (await followed(page, 'long')) ?? {};
  expect(text).toBe('');
  expect(read).toBeGreaterThan(0);
  expect(read).toBeLessThan(total - 64);

  await fullSpeed();
  await page.waitForFunction(() => window.ended.length === 3, null, POLLING);
  expect(await page.evaluate(() => window.ended)).toEqual(['long', 'other client', 'same client']);
  expect(await followed(page, 'other client')).toMatchObject({ text: PARIS, places: [1] });
  // The other client came later and was let in front of it.
  expect(await followed(page, 'same client')).toMatchObject({ places: [1, 2, 1] });
});
