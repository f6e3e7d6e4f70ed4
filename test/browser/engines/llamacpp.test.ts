import type { Page } from 'playwright/test';
import { complete } from '../support/chat.ts';
import { expect, openStarted, restart, SMOLLM2, test, TINY } from '../support/fixtures.ts';
import { flipStoredByte } from '../support/storage/flip-stored-byte.ts';
import { holdRest } from '../support/hub/hold-rest.ts';
import { listed, unload } from '../support/models.ts';
import { CAPITAL, PARIS, user } from '../support/prompts.ts';
import { isolate, replaceFile, serveTestSite, type Intercept } from '../support/site.ts';
import { workersOf } from '../support/browser/tabs.ts';

/** Tokens of a prompt that are computed at once. */
const BATCH = 32;

interface Message {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

/** A greedy answer and its numbers of tokens. */
async function ask(page: Page, messages: Message[], max_tokens = 30) {
  const { choices, usage } = await complete(page, { messages, temperature: 0, max_tokens });
  return {
    text: choices[0]?.message.content ?? '',
    prompt: usage?.prompt_tokens ?? 0,
    cached: usage?.prompt_tokens_details?.cached_tokens ?? 0,
    written: usage?.completion_tokens ?? 0,
  };
}

test('only pages that run an engine fetch it', async ({ fresh, site }) => {
  const files = (engine: string) => site.requests.filter((path) => path.startsWith(`/${engine}`));
  site.requests.length = 0;
  const page = await openStarted(fresh, site.url, { engines: ['webllm'] });
  await listed(page, TINY);
  expect(files('llamacpp')).toEqual([]);
  await restart(page, { engines: ['llamacpp'], model: TINY });
  expect(files('llamacpp').toSorted()).toEqual(['/llamacpp.js', '/llamacpp.wasm']);
  expect(files('webllm')).toEqual([]);
  // The service worker keeps it.
  for (let times = 0; times < 2; times++) await restart(page, { engines: ['webllm'], model: TINY });
  expect(files('webllm')).toEqual(['/webllm.js']);
});

for (const isIsolated of [false, true]) {
  const where = isIsolated ? 'in an isolated page' : 'in any page';
  test(`what is asked while the model is downloaded is answered as it is later, ${where}`, async ({
    fresh,
    closing,
  }) => {
    const site = closing(await serveTestSite('/', ['smollm2-135m']));
    if (isIsolated) site.intercept = isolate;
    const sendRest = holdRest(site);
    const page = await openStarted(fresh, site.url, { threads: 2 });
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(isIsolated);
    const messages = [user(CAPITAL)];
    const answer = () =>
      complete(page, { model: SMOLLM2, messages, temperature: 0, max_tokens: 8 });
    const early = answer();
    await sendRest();
    const { choices, usage } = await early;
    expect(choices[0]?.message.content).toContain('Paris');
    expect(usage?.prompt_tokens_details?.cached_tokens).toBe(0);
    await unload(page, SMOLLM2);
    expect((await answer()).choices).toEqual(choices);
  });
}

test('six clients that take turns prefill only what is new', async ({ fresh, site }) => {
  const page = await openStarted(fresh, site.url, { model: TINY });
  const names = ['Ann', 'Bob', 'Carol', 'Dave', 'Eve', 'Frank'];
  const conversations = names.map((name) => ({
    messages: [user(`My name is ${name}.`)] as Message[],
    known: 0,
  }));
  for (const question of ['What is my name?', CAPITAL, 'Count to 7.']) {
    for (const conversation of conversations) {
      const { text, prompt, cached, written } = await ask(page, conversation.messages);
      // The model writes the token that ends an answer, but does not read it.
      expect(cached).toBeGreaterThanOrEqual(conversation.known);
      conversation.known = prompt + written - 1;
      conversation.messages.push({ role: 'assistant', content: text }, user(question));
    }
  }
});

test('a conversation that begins like another one does not read the beginning again', async ({
  ready,
}) => {
  const system = { role: 'system' as const, content: 'You are a helpful assistant. '.repeat(10) };
  const first = await ask(ready, [system, user('Count to 3.')]);
  expect(first.cached).toBeLessThan(first.prompt / 2);
  const second = await ask(ready, [system, user(CAPITAL)]);
  expect(second.text).toBe(PARIS);
  expect(second.cached).toBeGreaterThan(second.prompt / 2);
  // The first conversation is still there.
  const again = await ask(ready, [system, user('Count to 3.')]);
  expect(again.cached).toBe(again.prompt - 1);
});

test('an abort is heard within 64 tokens of a long prompt, and the page is not blocked meanwhile', async ({
  fresh,
  site,
  hold,
}) => {
  const page = await openStarted(fresh, site.url, { model: TINY });
  const messages = [user(`${'The sky is blue. '.repeat(150)} Hello!`)];
  await hold.at({ batches: 5 });
  await page.evaluate((asked) => {
    window.controller = new AbortController();
    const { signal } = window.controller;
    const body = { model: 'slashv1/tiny-chat', messages: asked, temperature: 0, stream: true };
    void window.post('chat/completions', body, { signal }).catch(() => undefined);
  }, messages);
  await hold.untilHeld();
  // The engine answers while the model reads.
  expect(await listed(page, TINY)).toMatchObject({ state: 'loaded' });
  await page.evaluate(() => window.controller.abort());
  await hold.untilStopped();
  await hold.release();
  const { prompt, cached } = await ask(page, messages, 1);
  expect(cached).toBeLessThan(prompt - BATCH);
  expect(cached).toBeLessThanOrEqual(7 * BATCH);
});

test('a damaged file is found while it loads, and fetched again', async ({ fresh, site }) => {
  const page = await openStarted(fresh, site.url, { model: TINY });
  await page.evaluate(flipStoredByte, [TINY, 'tiny-chat-F32.gguf'] as const);
  await restart(page);
  site.requests.length = 0;
  expect((await ask(page, [user(CAPITAL)])).text).toBe(PARIS);
  expect(site.requests).toContain('/packs/tiny-chat/tiny-chat-F32.gguf');
});

test('an answer ends with finish_reason length when the context is full', async ({ ready }) => {
  const { prompt } = await ask(ready, [user('Hello!')], 1);
  const longer = await ask(ready, [user(`Hello!${' a'.repeat(100)}`)], 1);
  const words = Math.floor((2000 - prompt) / ((longer.prompt - prompt) / 100));
  const { choices, usage } = await complete(ready, {
    messages: [user(`Hello!${' a'.repeat(words)}`)],
    temperature: 0,
    // The tokens that end a turn or a text.
    logit_bias: { 0: -100, 2: -100 },
  });
  expect(choices[0]?.finish_reason).toBe('length');
  expect(usage?.total_tokens).toBe(2048);
});

/** Answers 404 for a file, whatever its address is followed by. */
function leaveOut(path: string): Intercept {
  return ({ url }, response) => {
    if (url?.split('?')[0] !== path) return false;
    response.writeHead(404).end();
    return true;
  };
}

/** Waits for ever for a thread that does not exist, as emscripten would. */
const THREADS_THAT_FAIL = `export default () => {
  new Worker('/no-such-thread.js', { type: 'module' });
  return new Promise(() => undefined);
};`;

test.describe('in a cross-origin isolated page', () => {
  const threads = (page: Page) => workersOf(page, 'llamacpp-threads.js').length;

  for (const count of [1, 2, 3]) {
    test(`${count} threads compute an answer if the page wants that`, async ({
      fresh,
      closing,
    }) => {
      const site = closing(await serveTestSite('/', ['tiny-chat']));
      site.intercept = isolate;
      const page = await openStarted(fresh, site.url, { model: TINY, threads: count });
      expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
      expect((await ask(page, [user(CAPITAL)])).text).toBe(PARIS);
      // The model's worker is one of the threads.
      expect(threads(page)).toBe(count - 1);
      await unload(page, TINY);
      await expect.poll(() => threads(page)).toBe(0);
    });
  }

  for (const [what, spoil] of [
    ['without the build with threads', leaveOut('/llamacpp-threads.js')],
    ['whose threads have no script', replaceFile('/llamacpp-threads.js')],
    ['whose threads cannot be started', replaceFile('/llamacpp-threads.js', THREADS_THAT_FAIL)],
  ] as const) {
    test(`a site ${what} answers with one`, async ({ fresh, closing }) => {
      const site = closing(await serveTestSite('/', ['tiny-chat']));
      site.intercept = (...exchange) => isolate(...exchange) || spoil(...exchange);
      const page = await openStarted(fresh, site.url, { model: TINY, threads: 2 });
      expect((await ask(page, [user(CAPITAL)])).text).toBe(PARIS);
      expect(threads(page)).toBe(0);
    });
  }
});

declare global {
  interface Window {
    controller: AbortController;
  }
}
