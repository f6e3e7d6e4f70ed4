import type { Page } from 'playwright/test';
import { expect, test, TINY } from '../support/fixtures.ts';
import {
  answerTo,
  openTabs,
  reportPause,
  startStream,
  untilEnded,
  untilLength,
} from '../support/streamed.ts';

const COUNT = { messages: [{ role: 'user', content: 'Count to 60.' }], temperature: 0 };

/** Returns when the tab has the model in memory beside the tab with the engine, or not any more. */
async function untilStandsBy(page: Page, doesStandBy = true): Promise<void> {
  const isSo = ([model, so]: readonly [string, boolean]) =>
    performance.getEntriesByName(`slashv1 standby ${model}`).length > 0 === so;
  await page.waitForFunction(isSo, [TINY, doesStandBy] as const, { polling: 20 });
}

function engines(page: Page): number {
  return page.workers().filter((worker) => worker.url().endsWith('/engine.js')).length;
}

test('a tab that stands by takes over without loading anything, and then the next one stands by', async ({
  fresh,
  site,
}) => {
  const [leader, heir, reader] = await openTabs(fresh, site, 3, { standby: true });
  if (!heir || !reader) throw new Error('No other tabs.');
  await untilStandsBy(heir);
  expect([leader, heir, reader].map(engines)).toEqual([1, 1, 0]);
  const whole = await answerTo(reader, COUNT);
  const stages = await reader.evaluateHandle(() => {
    const seen: string[] = [];
    window.v1.onProgress(({ stage }) => seen.push(stage));
    return seen;
  });
  await startStream(reader, COUNT);
  await untilLength(reader, 40);
  await stages.evaluate((seen) => seen.splice(0));
  const endedAt = Date.now();
  await leader.close();
  const answer = await untilEnded(reader);
  const { text } = whole;
  expect(answer).toMatchObject({ text, finishReasons: ['stop'], done: true });
  reportPause(answer.times, endedAt);
  await untilStandsBy(reader);
  // The watcher of the new engine has been told what it has done, all of it.
  await reader.evaluate(() => window.v1.models.list());
  expect(await stages.jsonValue()).toEqual(['ready']);
  await heir.close();
  expect((await answerTo(reader, COUNT)).text).toBe(text);
});

test('what is unloaded leaves the tab that stands by, too', async ({ fresh, site }) => {
  const [leader, heir] = await openTabs(fresh, site, 2, { standby: true });
  if (!heir) throw new Error('No other tab.');
  await untilStandsBy(heir);
  await leader.evaluate((model) => window.v1.models.unload(model), TINY);
  await untilStandsBy(heir, false);
  await leader.close();
  const states = async () => {
    const models = await heir.evaluate(() => window.v1.models.list());
    return models.find(({ id }) => id === TINY)?.state;
  };
  expect(await states()).toBe('installed');
  expect((await answerTo(heir, COUNT)).finishReasons).toEqual(['stop']);
  expect(await states()).toBe('loaded');
});
