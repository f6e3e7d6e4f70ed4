import type { BrowserContext, Page, Worker } from 'playwright/test';
import { expect, test, TINY } from '../support/fixtures.ts';
import {
  answerTo,
  engineOf,
  openTabs,
  startStream,
  untilEnded,
  untilLength,
} from '../support/streamed.ts';

// Models are loaded again and again: on a busy machine that takes its time.
test.describe.configure({ timeout: 360_000 });

const COUNT = { messages: [{ role: 'user', content: 'Count to 60.' }], temperature: 0 };
const DAY_MS = 24 * 3600 * 1000;

/** Runs in any realm: from now on its clock is ahead by so much of what it was, or behind. */
function shiftDate(ms: number): void {
  const now = Date.now.bind(Date);
  globalThis.Date = class extends Date {
    constructor(...given: [] | [number]) {
      super(...(given.length === 0 ? ([now() + ms] as const) : given));
    }
    static override now = () => now() + ms;
  } as DateConstructor;
}

/** As when the user or a time server sets the clock: in all realms at once. */
async function jump(profile: BrowserContext, page: Page, ms: number): Promise<void> {
  const workers: Worker[] = [engineOf(page), ...profile.serviceWorkers()];
  expect(workers).toHaveLength(2);
  await page.evaluate(shiftDate, ms);
  for (const worker of workers) await worker.evaluate(shiftDate, ms);
}

/** Status of the answer to what a signed URL asks for; 404 is one of a URL that is good. */
function statusOf(page: Page, url: string): Promise<number> {
  return page.evaluate(async (asked) => (await fetch(asked)).status, url);
}

function signedUrl(page: Page): Promise<string> {
  return page.evaluate(() => window.v1.speechUrl({ model: 'none', voice: 'a', input: 'b' }));
}

test('streams, keys and new signed URLs do not mind the clock', async ({ fresh, site }) => {
  const [page] = await openTabs(fresh, site, 1);
  const { text } = await answerTo(page, COUNT);
  await startStream(page, COUNT);
  for (const [index, days] of [400, -800, 1].entries()) {
    await untilLength(page, 20 * (index + 1));
    await jump(fresh, page, days * DAY_MS);
  }
  expect(await untilEnded(page)).toMatchObject({ text, done: true, error: null });
  for (const days of [800, -1600]) {
    await jump(fresh, page, days * DAY_MS);
    expect(await statusOf(page, await signedUrl(page))).toBe(404);
    const key = await page.evaluate(() => window.v1.keys.create({ label: 'new' }));
    await page.evaluate((apiKey) => (window.client.apiKey = apiKey), key);
    expect((await answerTo(page, COUNT)).text).toBe(text);
  }
});

test('a signed URL ends with its time, by the clock that there is', async ({ fresh, site }) => {
  const [page] = await openTabs(fresh, site, 1);
  const url = await signedUrl(page);
  expect(await statusOf(page, url)).toBe(404);
  await jump(fresh, page, DAY_MS);
  expect(await statusOf(page, url)).toBe(401);
});

test('a computer that slept during an answer does not tell others to come back in hours', async ({
  fresh,
  site,
}) => {
  const [page] = await openTabs(fresh, site, 1);
  await startStream(page, COUNT);
  await untilLength(page, 20);
  await engineOf(page).evaluate((ms) => {
    const now = performance.now.bind(performance);
    performance.now = () => now() + ms;
  }, DAY_MS);
  expect(await untilEnded(page)).toMatchObject({ done: true });
  const waits = await page.evaluate(async (model) => {
    const ending = new AbortController();
    const ask = async () => {
      const response = await fetch(`${window.v1.baseURL}/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${window.v1.apiKey}` },
        body: JSON.stringify({ model, prompt: 'H', max_tokens: 500, stream: true }),
        signal: ending.signal,
      });
      return Number(response.headers.get('retry-after'));
    };
    const asked = Array.from({ length: 70 }, ask);
    const first = await Promise.any(
      asked.map(async (wait) => ((await wait) > 0 ? wait : Promise.reject(new Error('let in')))),
    );
    ending.abort();
    await Promise.allSettled(asked);
    return first;
  }, TINY);
  expect(waits).toBeLessThanOrEqual(60);
});
