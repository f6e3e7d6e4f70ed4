import type { Page } from 'playwright/test';
import { say } from '../support/chat.ts';
import { crashTab } from '../support/faults.ts';
import { begin, expect, openPage, openStarted, test, TINY } from '../support/fixtures.ts';
import { COUNT, COUNTED, GREETING } from '../support/prompts.ts';
import { POLLING, reportPause, startStream, untilEnded } from '../support/streamed.ts';
import { openTabs, workersOf } from '../support/browser/tabs.ts';

const WITHOUT = { serviceWorker: false };
const engines = (...tabs: Page[]) => tabs.map((tab) => workersOf(tab, 'engine.js').length);

const ENDS: [string, (leader: Page) => Promise<unknown>][] = [
  ['is closed', (leader) => leader.close()],
  ['crashes', (leader) => crashTab(leader)],
];

for (const [name, end] of ENDS) {
  test(`tabs without a service worker share an engine; a stream continues when its tab ${name}`, async ({
    fresh,
    site,
    hold,
  }) => {
    const leader = await openStarted(fresh, site.url, { ...WITHOUT, model: TINY });
    const reader = await openStarted(fresh, site.url, WITHOUT);
    const third = await openStarted(fresh, site.url, WITHOUT);
    expect(engines(leader, reader, third)).toEqual([1, 0, 0]);
    await hold.at({ tokens: 10 });
    await startStream(reader, COUNT);
    await hold.untilHeld();
    const faultAt = Date.now();
    await end(leader);
    await hold.release();
    const answer = await untilEnded(reader);
    expect(answer).toMatchObject({ status: 200, text: COUNTED, done: true, error: null });
    reportPause(answer, faultAt);
    expect(await say(third, 'Hello!')).toBe(GREETING);
    expect(engines(reader, third)).toEqual([1, 0]);
  });
}

test('tabs that start at once download the model once', async ({ fresh, site }) => {
  const tabs = [await openPage(fresh, site.url), await openPage(fresh, site.url)];
  const before = site.requests.length;
  await Promise.all(tabs.map((tab) => begin(tab, { ...WITHOUT, model: TINY })));
  const files = site.requests.slice(before).filter((path) => path.startsWith('/packs/tiny-chat/'));
  expect(files.length).toBeGreaterThan(1);
  expect(files.toSorted()).toEqual([...new Set(files)].toSorted());
  for (const tab of tabs) expect(await say(tab, 'Hello!')).toBe(GREETING);
});

for (const leads of [true, false]) {
  test(`a tab ${leads ? 'with' : 'without'} a service worker shares its engine with one ${leads ? 'without' : 'with'}`, async ({
    fresh,
    site,
  }) => {
    const first = await openStarted(fresh, site.url, { serviceWorker: leads, model: TINY });
    const second = await openStarted(fresh, site.url, { serviceWorker: !leads });
    expect(await say(second, 'Hello!')).toBe(GREETING);
    expect(engines(first, second)).toEqual([1, 0]);
    await first.close();
    expect(await say(second, 'Hello!')).toBe(GREETING);
    expect(engines(second)).toEqual([1]);
  });
}

test('a tab without a service worker stands by and takes over', async ({ fresh, site }) => {
  const [leader, heir] = await openTabs(fresh, site, 2, { ...WITHOUT, standby: true });
  const isReady = (id: string) => performance.getEntriesByName(`slashv1 standby ${id}`).length > 0;
  await heir.waitForFunction(isReady, TINY, POLLING);
  expect(engines(leader, heir)).toEqual([1, 1]);
  await leader.close();
  expect(await say(heir, 'Hello!')).toBe(GREETING);
});
