import type { Page } from 'playwright/test';
import { expect, test, TINY } from '../support/fixtures.ts';
import { listed, unload } from '../support/models.ts';
import { COUNT, COUNTED } from '../support/prompts.ts';
import { answerTo, POLLING, reportPause, startStream, untilEnded } from '../support/streamed.ts';
import { openTabs, workersOf } from '../support/browser/tabs.ts';

/** Returns when the tab has the model in memory besides the tab with the engine, or no longer has it. */
async function untilStandby(page: Page, isStandby = true): Promise<void> {
  const isSo = ([model, so]: readonly [string, boolean]) =>
    performance.getEntriesByName(`slashv1 standby ${model}`).length > 0 === so;
  await page.waitForFunction(isSo, [TINY, isStandby] as const, POLLING);
}

test('a tab on standby takes over without loading anything, and then the next tab is on standby', async ({
  fresh,
  site,
  hold,
}) => {
  const tabs = await openTabs(fresh, site, 3, { standby: true });
  const [leader, heir, reader] = tabs;
  await untilStandby(heir);
  expect(tabs.map((tab) => workersOf(tab, 'engine.js').length)).toEqual([1, 1, 0]);
  expect((await answerTo(reader, COUNT)).text).toBe(COUNTED);
  const stages = await reader.evaluateHandle(() => {
    const seen: string[] = [];
    window.v1.onProgress(({ stage }) => seen.push(stage));
    return seen;
  });
  await hold.at({ tokens: 20 });
  await startStream(reader, COUNT);
  await hold.untilHeld();
  await stages.evaluate((seen) => seen.splice(0));
  const closedAt = Date.now();
  await leader.close();
  await hold.release();
  const answer = await untilEnded(reader);
  expect(answer).toMatchObject({ text: COUNTED, finishReasons: ['stop'], done: true });
  reportPause(answer, closedAt);
  await untilStandby(reader);
  // A page asks the new engine for its progress a second after the old one was lost, or later.
  await expect.poll(() => stages.jsonValue()).toEqual(['ready']);
  await heir.close();
  expect((await answerTo(reader, COUNT)).text).toBe(COUNTED);
});

test('a model that is unloaded also leaves the memory of the tab on standby', async ({
  fresh,
  site,
}) => {
  const [leader, heir] = await openTabs(fresh, site, 2, { standby: true });
  await untilStandby(heir);
  await unload(leader, TINY);
  await untilStandby(heir, false);
  await leader.close();
  expect(await listed(heir, TINY)).toMatchObject({ state: 'installed' });
  expect((await answerTo(heir, COUNT)).finishReasons).toEqual(['stop']);
  expect(await listed(heir, TINY)).toMatchObject({ state: 'loaded' });
});
