import type { Page } from 'playwright/test';
import { refusal, say } from '../support/chat.ts';
import { expect, openStarted, test as base, TINY } from '../support/fixtures.ts';
import { withHold, type Hold } from '../support/hold.ts';
import { untilWaiting } from '../support/models.ts';
import { COUNT, GREETING, user } from '../support/prompts.ts';
import { PIPER, serveTestSite, type TestSite } from '../support/site.ts';
import { startStream, untilEnded } from '../support/streamed.ts';
import { stopServiceWorkers } from '../support/browser/undebugged.ts';

declare global {
  interface Window {
    stages: string[];
    signedUrl: string;
  }
}

/** A page of a new site, with tiny-chat loaded and every later stage in `window.stages`. */
const test = base.extend<{ ownSite: TestSite; ownHold: Hold; page: Page }>({
  ownSite: async ({ closing }, use) => {
    await use(closing(await serveTestSite('/', ['tiny-chat', 'test-piper'])));
  },
  ownHold: [({ ownSite }, use) => withHold(ownSite, use), { auto: true }],
  page: async ({ undebugged, ownSite }, use) => {
    const page = await openStarted(undebugged, ownSite.url, { model: TINY });
    await page.evaluate(() => {
      window.stages = [];
      window.v1.onProgress(({ stage }) => window.stages.push(stage));
    });
    await use(page);
  },
});

/** Status of a request that needs no engine. */
function listModels(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const headers = { authorization: `Bearer ${window.v1.apiKey}` };
    return (await fetch(`${window.v1.baseURL}/models`, { headers })).status;
  });
}

test('a stopped service worker starts again with the next request, and the model is still loaded', async ({
  page,
}) => {
  expect(await say(page, 'Hello!')).toBe(GREETING);
  await stopServiceWorkers(page);
  expect(await listModels(page)).toBe(200);
  await stopServiceWorkers(page);
  expect(await say(page, 'Hello!')).toBe(GREETING);
  expect(await page.evaluate(() => window.stages)).not.toContain('load');
});

test('if the service worker stops during a stream, the stream breaks and its requests end', async ({
  page,
  ownHold,
}) => {
  test.setTimeout(240_000);
  await ownHold.at({ tokens: 10 });
  await startStream(page, COUNT);
  await ownHold.untilHeld();
  // With the stream, these are all the requests that the key may have at a time.
  await page.evaluate(
    ([model, message]) => {
      for (let count = 1; count < 64; count++) {
        const request = { model, messages: [message] };
        void window.client.chat.completions.create(request).catch(() => undefined);
      }
    },
    [TINY, user('Hello!')] as const,
  );
  // Wait until all are queued: another request might overtake one of them, and would then wait for all others.
  await untilWaiting(page, 63);
  const status = async () => (await refusal(page, { temperature: 0 }))?.status;
  await expect.poll(status).toBe(429);
  await stopServiceWorkers(page);
  await ownHold.release();
  const { done, error, finishReasons } = await untilEnded(page);
  // The browser reports the broken response, and nothing in it looks like an end.
  expect({ done, finishReasons }).toEqual({ done: false, finishReasons: [] });
  expect(error).toContain('network error');
  const greeting = () => say(page, 'Hello!').catch(() => undefined);
  await expect.poll(greeting, { timeout: 60_000 }).toBe(GREETING);
  expect(await page.evaluate(() => window.stages)).not.toContain('load');
});

test('a signed URL still plays when another service worker has started', async ({ page }) => {
  test.setTimeout(240_000);
  const listen = () =>
    page.evaluate(async () => {
      const response = await fetch(window.signedUrl, { headers: { range: 'bytes=0-1' } });
      return [response.status, (await response.arrayBuffer()).byteLength];
    });
  await page.evaluate(async (model) => {
    const speech = { model, voice: 'joe', input: 'Hello there.' };
    window.signedUrl = await window.v1.speechUrl(speech);
  }, PIPER);
  expect(await listen()).toEqual([206, 2]);
  await stopServiceWorkers(page);
  expect(await listen()).toEqual([206, 2]);
});
