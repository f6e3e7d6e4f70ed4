import type { Page } from 'playwright/test';
import { generateJob } from '../support/engine-jobs.ts';
import { expect, openPage, test, TINY } from '../support/fixtures.ts';

interface Answer {
  key: number;
  status: number;
  /** The headers of a 429. */
  retryAfter: string | null;
  retryAfterMs: string | null;
  finishReason: string | null;
}

/**
 * What becomes of requests that are all sent at once, in the order in which they are over.
 *
 * @param counts - how many each of as many keys sends, the first key first
 */
function askWithKeys(page: Page, counts: number[]): Promise<Answer[]> {
  return page.evaluate(
    async ([model, each]) => {
      const answers: Answer[] = [];
      const ask = async (key: number, apiKey: string) => {
        const response = await fetch(`${window.v1.baseURL}/completions`, {
          method: 'POST',
          headers: { authorization: `Bearer ${apiKey}` },
          // As little work as there can be.
          body: JSON.stringify({ model, prompt: 'H', max_tokens: 1 }),
        });
        const { choices } = (await response.json()) as {
          choices?: { finish_reason: string }[];
        };
        answers.push({
          key,
          status: response.status,
          retryAfter: response.headers.get('retry-after'),
          retryAfterMs: response.headers.get('retry-after-ms'),
          finishReason: choices?.[0]?.finish_reason ?? null,
        });
      };
      const keys = await Promise.all(each.map(() => window.v1.keys.create()));
      const asked = each.flatMap((count, key) =>
        Array.from({ length: count }, () => ask(key, keys[key] ?? '')),
      );
      await Promise.all(asked);
      return answers;
    },
    [TINY, counts] as const,
  );
}

test('of 500 requests of 5 keys at once each key gets answers, and the rest a 429', async ({
  ready,
}) => {
  const answers = await askWithKeys(ready, [100, 100, 100, 100, 100]);
  expect(answers).toHaveLength(500);
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused.length).toBeGreaterThan(0);
  for (const { status, retryAfter, retryAfterMs } of refused) {
    expect(status).toBe(429);
    expect(Number(retryAfter)).toBeGreaterThanOrEqual(1);
    expect(Number(retryAfterMs)).toBeGreaterThan(0);
  }
  for (let key = 0; key < 5; key++) {
    const own = answers.filter((answer) => answer.key === key && answer.status === 200);
    // The last to ask found a queue that the others had filled, and still a share of it free.
    expect(own.length).toBeGreaterThanOrEqual(10);
    expect(own.every(({ finishReason }) => finishReason === 'length')).toBe(true);
  }
});

test('a key with a few requests does not wait for one with many', async ({ ready }) => {
  const answers = await askWithKeys(ready, [60, 3, 3]);
  expect(answers.map(({ status }) => status)).toEqual(Array(66).fill(200));
  const lastOfOthers = answers.findLastIndex(({ key }) => key !== 0);
  const before = answers.slice(0, lastOfOthers).filter(({ key }) => key === 0);
  // In order of arrival it would have been all 60 of them.
  expect(before.length).toBeLessThan(30);
});

test('a tab that closes frees the places of what it asked for', async ({
  ready,
  profile,
  site,
}) => {
  const other = await openPage(profile, site.url);
  await other.evaluate(() => window.begin());
  expect(await runOverOwnPort(other, 'Count to 100.', 64)).toBe('running');
  // All that may be asked for without a key is taken, for minutes.
  expect(await runOverOwnPort(ready, 'Hello!', 1)).toBe('rate_limit_exceeded');
  await other.close();
  await expect.poll(() => runOverOwnPort(ready, 'Hello!', 1)).toBe('running');
});

/**
 * Runs jobs over a port of the page's own, until its end; returns when the first has begun, or the
 * code of the first failure.
 */
function runOverOwnPort(page: Page, content: string, count: number): Promise<string | null> {
  return page.evaluate(
    async ([job, jobs]) => {
      const lock = `test:${crypto.randomUUID()}`;
      await new Promise<void>((resolve) => {
        void navigator.locks.request(lock, () => {
          resolve();
          return new Promise(() => undefined);
        });
      });
      const { promise, resolve } = Promise.withResolvers<string | null>();
      const send = await window.connectEngine((message) => {
        if (message.type === 'event') resolve('running');
        if (message.type === 'failed') resolve(message.error.code);
      });
      send({ type: 'hello', lock });
      for (let id = 1; id <= jobs; id++) send({ type: 'run', id, job });
      return promise;
    },
    [generateJob(content), count] as const,
  );
}
