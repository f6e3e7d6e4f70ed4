import type { BrowserContext, Page, Worker } from 'playwright/test';
import { expect, test, TINY } from '../support/fixtures.ts';
import { COUNT, COUNTED } from '../support/prompts.ts';
import { answerTo, startStream, untilEnded } from '../support/streamed.ts';
import { engineOf, openTabs } from '../support/browser/tabs.ts';

// Models are loaded several times, which is slow on a busy machine.
test.describe.configure({ timeout: 360_000 });

const DAY_MS = 24 * 3600 * 1000;

/** Runs in any realm: moves its clock forward, or back if negative. */
function shiftDate(ms: number): void {
  const now = Date.now.bind(Date);
  globalThis.Date = class extends Date {
    constructor(...given: [] | [number]) {
      super(...(given.length === 0 ? ([now() + ms] as const) : given));
    }
    static override now = () => now() + ms;
  } as DateConstructor;
}

/** Moves the clock of all realms, as a user or a time server does. */
async function jump(profile: BrowserContext, page: Page, ms: number): Promise<void> {
  const workers: Worker[] = [engineOf(page), ...profile.serviceWorkers()];
  expect(workers).toHaveLength(2);
  await page.evaluate(shiftDate, ms);
  for (const worker of workers) await worker.evaluate(shiftDate, ms);
}

/** Status of a signed URL; its model does not exist, so a valid signature gets 404. */
function statusOf(page: Page, url: string): Promise<number> {
  return page.evaluate(async (asked) => (await fetch(asked)).status, url);
}

function signedUrl(page: Page): Promise<string> {
  return page.evaluate(() => window.v1.speechUrl({ model: 'none', voice: 'a', input: 'b' }));
}

test('streams, keys and new signed URLs work although the clock jumps', async ({
  fresh,
  site,
  hold,
}) => {
  const [page] = await openTabs(fresh, site, 1);
  await hold.at({ tokens: 10 });
  await startStream(page, COUNT);
  for (const days of [400, -800, 1]) {
    await hold.untilHeld();
    await jump(fresh, page, days * DAY_MS);
    await hold.at({ tokens: 10 });
  }
  await hold.release();
  expect(await untilEnded(page)).toMatchObject({ text: COUNTED, done: true, error: null });
  for (const days of [800, -1600]) {
    await jump(fresh, page, days * DAY_MS);
    expect(await statusOf(page, await signedUrl(page))).toBe(404);
    const key = await page.evaluate(() => window.v1.keys.create({ label: 'new' }));
    await page.evaluate((apiKey) => (window.client.apiKey = apiKey), key);
    expect((await answerTo(page, COUNT)).text).toBe(COUNTED);
  }
});

test('a signed URL expires by the present clock', async ({ fresh, site }) => {
  const [page] = await openTabs(fresh, site, 1);
  const url = await signedUrl(page);
  expect(await statusOf(page, url)).toBe(404);
  await jump(fresh, page, DAY_MS);
  expect(await statusOf(page, url)).toBe(401);
});

test('after the computer slept during an answer, retry-after is still at most a minute', async ({
  fresh,
  site,
  hold,
}) => {
  const [page] = await openTabs(fresh, site, 1);
  await hold.at({ tokens: 10 });
  await startStream(page, COUNT);
  await hold.untilHeld();
  await engineOf(page).evaluate((ms) => {
    const now = performance.now.bind(performance);
    performance.now = () => now() + ms;
  }, DAY_MS);
  await hold.release();
  expect(await untilEnded(page)).toMatchObject({ done: true });
  const wait = await page.evaluate(async (model) => {
    const ending = new AbortController();
    const body = { model, prompt: 'H', max_tokens: 500, stream: true };
    const ask = async () => {
      const { headers } = await window.post('completions', body, ending);
      const seconds = Number(headers.get('retry-after'));
      return seconds > 0 ? seconds : Promise.reject(new Error('This request was accepted.'));
    };
    const asked = Array.from({ length: 70 }, ask);
    const first = await Promise.any(asked);
    ending.abort();
    await Promise.allSettled(asked);
    return first;
  }, TINY);
  expect(wait).toBeLessThanOrEqual(60);
});
