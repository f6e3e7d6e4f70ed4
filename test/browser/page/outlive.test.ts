import type { Page } from 'playwright/test';
import { readFileSync } from 'node:fs';
import { say } from '../support/chat.ts';
import { expect, openPage, openStarted, restart, test, TINY } from '../support/fixtures.ts';
import { transcribe } from '../support/media/hearing.ts';
import { joe, speak } from '../support/media/speaking.ts';
import { listed } from '../support/models.ts';
import { COUNTED, GREETING } from '../support/prompts.ts';
import { PIPER, RECOGNISER, withTestSite } from '../support/site.ts';

const STAYS = { outlive: true };

/** Files of ours that pages have asked for, but the page's own and the service worker's. */
const ofEngine = (paths: readonly string[]) =>
  paths.filter((path) => /engine|llamacpp|packs/.test(path));

function engineLock(page: Page): Promise<string | undefined> {
  return page.evaluate(async () => {
    const { held = [] } = await navigator.locks.query();
    return held.find(({ name }) => name?.startsWith('slashv1:engine:'))?.name;
  });
}

/** How many tokens of a prompt are in a KV cache. */
function cachedTokens(page: Page, content: string): Promise<number | undefined> {
  return page.evaluate(
    async ([model, text]) => {
      const messages = [{ role: 'user' as const, content: text }];
      const { usage } = await window.client.chat.completions.create({ model, messages });
      return usage?.prompt_tokens_details?.cached_tokens;
    },
    [TINY, content] as const,
  );
}

/** How many connections to engines there are. */
function connections(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const { held = [] } = await navigator.locks.query();
    return held.filter(({ name }) => name?.startsWith('slashv1:client:')).length;
  });
}

test('the next page finds the engine running, with its model in memory', async ({
  fresh,
  site,
}) => {
  const page = await openStarted(fresh, site.url, { ...STAYS, model: TINY });
  expect(await page.evaluate(() => window.v1.device.host)).toBe('shared-worker');
  expect(await say(page, 'Hello!')).toBe(GREETING);
  const lock = await engineLock(page);
  const before = site.requests.length;
  await restart(page, STAYS);
  expect(await listed(page, TINY)).toMatchObject({ state: 'loaded' });
  expect(await engineLock(page)).toBe(lock);
  expect(await cachedTokens(page, 'Hello!')).toBeGreaterThan(0);
  expect(ofEngine(site.requests.slice(before))).toEqual([]);
  await restart(page, STAYS);
  expect(await say(page, 'Hello!')).toBe(GREETING);
  // The page before was asked for the browser's own model, too.
  expect(await listed(page, TINY)).toMatchObject({ state: 'loaded' });
  // The page's, the service worker's, and the engine's to the browser's own model; pages that have gone leave none.
  await expect.poll(() => connections(page)).toBeLessThanOrEqual(3);
});

test('it stays while the tab that leads comes and goes', async ({ fresh, site }) => {
  const first = await openStarted(fresh, site.url, { ...STAYS, model: TINY });
  const second = await openStarted(fresh, site.url, STAYS);
  const lock = await engineLock(second);
  await first.close();
  expect(await say(second, 'Hello!')).toBe(GREETING);
  expect(await engineLock(second)).toBe(lock);
});

test('if it ends, another one answers', async ({ fresh, site, hold }) => {
  const page = await openStarted(fresh, site.url, { ...STAYS, model: TINY });
  const lock = await engineLock(page);
  await hold.end('engine.js');
  expect(await say(page, 'Hello!')).toBe(GREETING);
  expect(await engineLock(page)).not.toBe(lock);
  expect(await page.evaluate(() => window.v1.device.host)).toBe('shared-worker');
});

test('it ends a while after the last page', async ({ fresh, site }) => {
  test.setTimeout(120_000);
  const page = await openStarted(fresh, site.url, { ...STAYS, model: TINY });
  const other = await openPage(fresh, site.url);
  expect(await engineLock(other)).toBeDefined();
  await page.close();
  await expect.poll(() => engineLock(other), { timeout: 90_000 }).toBeUndefined();
});

test('a voice stays; recordings are decoded by a worker of the page, and the next page has its own', async ({
  fresh,
}) => {
  const recording = readFileSync(new URL('../../fixtures/sounds/opus.webm', import.meta.url));
  await withTestSite(['tiny-chat', 'test-piper', 'tiny-hear'], async ({ url }) => {
    const page = await openStarted(fresh, url, STAYS);
    const lock = await engineLock(page);
    const hear = async () => {
      const { status, text } = await transcribe(page, recording, { language: 'en' });
      expect([status, text]).toEqual([200, expect.stringContaining('text')]);
    };
    const { type } = await speak(page, joe('Hello there.', { response_format: 'mp3' }));
    expect(type).toContain('mpeg');
    await hear();
    await restart(page, STAYS);
    expect(await engineLock(page)).toBe(lock);
    await expect.poll(() => listed(page, RECOGNISER)).toMatchObject({ state: 'installed' });
    expect(await listed(page, PIPER)).toMatchObject({ state: 'loaded' });
    await hear();
  });
});

test('without such workers, the engine ends with its page', async ({ fresh, site }) => {
  const page = await openPage(fresh, site.url);
  await page.evaluate(() => Reflect.deleteProperty(window, 'SharedWorker'));
  await page.evaluate((given) => window.begin(given), STAYS);
  expect(await page.evaluate(() => window.v1.device.host)).toBe('page');
  expect(await say(page, 'Hello!', { model: TINY })).toBe(GREETING);
});

test('a stored answer goes on when its page is reloaded, and the next page takes it up', async ({
  fresh,
  site,
  hold,
}) => {
  const own = { ...STAYS, apiKey: `sk-slashv1-${'k'.repeat(43)}` };
  const page = await openStarted(fresh, site.url, { ...own, model: TINY });
  await hold.at({ tokens: 10 });
  const id = await page.evaluate(
    ([model, input]) =>
      new Promise<string>((resolve) => {
        const read = async () => {
          const request = { model, input, temperature: 0, stream: true } as const;
          for await (const event of await window.client.responses.create(request)) {
            if (event.type === 'response.created') resolve(event.response.id);
          }
        };
        void read();
      }),
    [TINY, 'Count to 60.'] as const,
  );
  await hold.untilHeld();
  await restart(page, own);
  const status = (asked: string) =>
    page.evaluate(async (known) => (await window.client.responses.retrieve(known)).status, asked);
  expect(await status(id)).toBe('in_progress');
  const rest = page.evaluate(async (known) => {
    const stream = await window.client.responses.retrieve(known, { stream: true });
    let text = '';
    for await (const event of stream) {
      if (event.type === 'response.output_text.delta') text += event.delta;
    }
    return text;
  }, id);
  await hold.release();
  expect(await rest).toBe(COUNTED);
  expect(await status(id)).toBe('completed');
});
