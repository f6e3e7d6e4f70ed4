import type { Page } from 'playwright/test';
import { generateJob } from '../support/engine-jobs.ts';
import { expect, test, TINY } from '../support/fixtures.ts';
import { untilWaiting } from '../support/models.ts';
import { COUNT } from '../support/prompts.ts';
import { startStream } from '../support/streamed.ts';
import { openTabs } from '../support/browser/tabs.ts';

interface Answer {
  key: number;
  status: number;
  /** The headers of a 429. */
  retryAfter: string | null;
  retryAfterMs: string | null;
  finishReason: string | null;
}

/**
 * Sends requests with several keys, all at once; returns the answers in the order in which they arrive.
 *
 * @param counts - number of requests of each key
 */
function askWithKeys(page: Page, counts: number[]): Promise<Answer[]> {
  return page.evaluate(
    async ([model, each]) => {
      const answers: Answer[] = [];
      const ask = async (key: number, apiKey: string) => {
        // This is as little work as possible.
        const body = { model, prompt: 'H', max_tokens: 1 };
        const response = await window.post('completions', body, { apiKey });
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

test('of 500 requests with 5 keys at once, each key gets answers and the rest get a 429', async ({
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
    // Even the last key had a share of the queue, although the others had filled theirs.
    expect(own.length).toBeGreaterThanOrEqual(10);
    expect(own.every(({ finishReason }) => finishReason === 'length')).toBe(true);
  }
});

test('a key with few requests does not wait for all those of a key with many', async ({
  fresh,
  site,
  hold,
}) => {
  const [page] = await openTabs(fresh, site, 1);
  await hold.at({ tokens: 1 });
  await startStream(page, COUNT);
  await hold.untilHeld();
  const asked = askWithKeys(page, [60, 3, 3]);
  await untilWaiting(page, 66);
  await hold.release();
  const answers = await asked;
  expect(answers.map(({ status }) => status)).toEqual(Array(66).fill(200));
  const lastOfOthers = answers.findLastIndex(({ key }) => key !== 0);
  const before = answers.slice(0, lastOfOthers).filter(({ key }) => key === 0);
  // If requests were served in the order of sending, all 60 would be before.
  expect(before.length).toBeLessThan(30);
});

test('when a tab closes, its requests no longer count towards the limit', async ({
  fresh,
  site,
  hold,
}) => {
  const [page, other] = await openTabs(fresh, site, 2);
  await hold.at({ tokens: 1 });
  expect(await runOverOwnPort(other, 'Count to 100.', 64)).toBe('running');
  // These are all the requests that are allowed without a key.
  expect(await runOverOwnPort(page, 'Hello!', 1)).toBe('rate_limit_exceeded');
  await other.close();
  await untilWaiting(page, 0);
  await hold.release();
  expect(await runOverOwnPort(page, 'Hello!', 1)).toBe('running');
});

/**
 * Runs jobs over a port of the page's own, for as long as the page is open. Resolves with `running` when
 * the first one runs, or with the code of the first error.
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
