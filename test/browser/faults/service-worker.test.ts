import type { BrowserContext, Page } from 'playwright/test';
import { expect, openPage, test, TINY } from '../support/fixtures.ts';
import { PIPER, serveTestSite } from '../support/site.ts';
import { startStream, untilEnded, untilLength } from '../support/streamed.ts';
import { stopServiceWorkers } from '../support/undebugged.ts';

const GREETING = 'Hello! How can I help you?';

declare global {
  interface Window {
    stages: string[];
    signedUrl: string;
  }
}

async function withPage(
  context: BrowserContext,
  use: (page: Page) => Promise<void>,
  packs = ['tiny-chat'],
): Promise<void> {
  const site = await serveTestSite('/', packs);
  try {
    const page = await openPage(context, site.url);
    await page.evaluate((model) => window.begin({ model }), TINY);
    await page.evaluate(() => {
      window.stages = [];
      window.v1.onProgress(({ stage }) => window.stages.push(stage));
    });
    await use(page);
  } finally {
    await site.close();
  }
}

/** The answer to a greeting, or the status with which it was refused; null: it broke. */
function greet(page: Page): Promise<string | number | null> {
  return page.evaluate(async (model) => {
    try {
      const { choices } = await window.client.chat.completions.create({
        model,
        messages: [{ role: 'user', content: 'Hello!' }],
        temperature: 0,
      });
      return choices[0]?.message.content ?? '';
    } catch (error) {
      return error instanceof Error && 'status' in error ? Number(error.status) : null;
    }
  }, TINY);
}

/** Status of an answer that no engine is needed for. */
function listModels(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const headers = { authorization: `Bearer ${window.v1.apiKey}` };
    return (await fetch(`${window.v1.baseURL}/models`, { headers })).status;
  });
}

test('a stopped service worker is back at once, with the model still loaded', async ({
  undebugged,
}) => {
  await withPage(undebugged, async (page) => {
    expect(await greet(page)).toBe(GREETING);
    await stopServiceWorkers(page);
    expect(await listModels(page)).toBe(200);
    await stopServiceWorkers(page);
    expect(await greet(page)).toBe(GREETING);
    // The engine never had to load anything again.
    expect(await page.evaluate(() => window.stages)).not.toContain('load');
  });
});

test('a service worker stopped in the middle of a stream breaks it, and leaves nothing behind', async ({
  undebugged,
}) => {
  test.setTimeout(240_000);
  await withPage(undebugged, async (page) => {
    await startStream(page, {
      messages: [{ role: 'user', content: 'Count to 100.' }],
      temperature: 0,
    });
    await untilLength(page, 20);
    // With it, all that the key may ask for at once: as long as they live, another one is refused.
    await page.evaluate((model) => {
      for (let count = 1; count < 64; count++) {
        const messages = [{ role: 'user' as const, content: 'Hello!' }];
        void window.client.chat.completions.create({ model, messages }).catch(() => undefined);
      }
    }, TINY);
    await expect.poll(() => greet(page)).toBe(429);
    await stopServiceWorkers(page);
    const { done, error, finishReasons } = await untilEnded(page);
    // The browser itself says that it broke: nothing in it looks like an end.
    expect({ done, finishReasons }).toEqual({ done: false, finishReasons: [] });
    expect(error).toContain('network error');
    await expect.poll(() => greet(page), { timeout: 60_000 }).toBe(GREETING);
    expect(await page.evaluate(() => window.stages)).not.toContain('load');
  });
});

test('a signed URL is good for a new service worker too, which has nothing of the old one', async ({
  undebugged,
}) => {
  test.setTimeout(240_000);
  const listen = (page: Page) =>
    page.evaluate(async () => {
      const response = await fetch(window.signedUrl, { headers: { range: 'bytes=0-1' } });
      return [response.status, (await response.arrayBuffer()).byteLength];
    });
  await withPage(
    undebugged,
    async (page) => {
      await page.evaluate(async (model) => {
        const speech = { model, voice: 'joe', input: 'Hello there.' };
        window.signedUrl = await window.v1.speechUrl(speech);
      }, PIPER);
      expect(await listen(page)).toEqual([206, 2]);
      await stopServiceWorkers(page);
      expect(await listen(page)).toEqual([206, 2]);
    },
    ['tiny-chat', 'test-piper'],
  );
});
