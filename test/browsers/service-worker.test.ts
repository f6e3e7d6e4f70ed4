import { say } from '../browser/support/chat.ts';
import { GREETING } from '../browser/support/prompts.ts';
import { TINY, type TestSite } from '../browser/support/site.ts';
import type { DrivenBrowser, Tab } from './support/driver.ts';
import { begin, expect, test, type NewTab } from './support/fixtures.ts';

declare global {
  interface Window {
    stages: string[];
  }
}

/** Appended to the service worker's script: a lock tells whether it runs, without an event that wakes it. */
const HOLD_LOCK = `navigator.locks.request('running', () => new Promise(() => {}));`;

/** A tab with tiny-chat loaded, whose service worker another tab has registered. */
async function openStarted(site: TestSite, newTab: NewTab, browser: DrivenBrowser): Promise<Tab> {
  const registering = await newTab(site.url, browser);
  await registering.evaluate(async () => {
    await navigator.serviceWorker.register('sw.js', { updateViaCache: 'none' });
    await navigator.serviceWorker.ready;
  });
  const tab = await newTab(site.url, browser);
  await begin(tab, { model: TINY });
  await registering.close();
  return tab;
}

/** Returns when no service worker of the tab's site runs. */
async function untilStopped(tab: Tab): Promise<void> {
  const isStopped = async () => {
    const { held = [] } = await navigator.locks.query();
    return held.every(({ name }) => name !== 'running');
  };
  await tab.waitForFunction(isStopped, undefined, { polling: 50 });
}

test('a stopped service worker starts again with the next request, and the model is still loaded', async ({
  site,
  newTab,
  launch,
}) => {
  site.builds['sw.js'] = HOLD_LOCK;
  const browser = await launch({ serviceWorkerIdleMs: 1_000 });
  const tab = await openStarted(site, newTab, browser);
  await tab.evaluate(() => {
    window.stages = [];
    window.v1.onProgress(({ stage }) => window.stages.push(stage));
  });
  expect(await say(tab, 'Hello!')).toBe(GREETING);
  await browser.stopServiceWorkers();
  await untilStopped(tab);
  expect(await say(tab, 'Hello!')).toBe(GREETING);
  expect(await tab.evaluate(() => window.stages)).not.toContain('load');
});
