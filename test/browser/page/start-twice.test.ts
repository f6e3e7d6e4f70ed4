import type { Page } from 'playwright/test';
import { expect, openPage, test, TINY } from '../support/fixtures.ts';

/** All locks of the library that somebody holds or waits for, sorted. */
function locks(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const { held = [], pending = [] } = await navigator.locks.query();
    return [...held, ...pending].map(({ name = '' }) => name).toSorted();
  });
}

/** The status of a request with this key. */
function statusWith(page: Page, apiKey: string): Promise<number> {
  return page.evaluate(async (key) => {
    const headers = { authorization: `Bearer ${key}` };
    return (await fetch('v1/models', { headers })).status;
  }, apiKey);
}

test('two starts at once with the same options share a session, until both have stopped', async ({
  fresh,
  site,
}) => {
  const page = await openPage(fresh, site.url);
  const keys = await page.evaluate(async (model) => {
    const { start } = window.slashv1;
    const [a, b] = await Promise.all([start({ model }), start()]);
    await a.stop();
    window.v1 = b;
    return [a.apiKey, b.apiKey];
  }, TINY);
  expect(keys[1]).toBe(keys[0]);
  expect(await statusWith(page, keys[0] ?? '')).toBe(200);
  await page.evaluate(() => window.v1.stop());
  expect(await statusWith(page, keys[0] ?? '')).toBe(401);
});

test('two starts at once with different options both work', async ({ fresh, site }) => {
  const page = await openPage(fresh, site.url);
  const states = await page.evaluate(async (id) => {
    const { start } = window.slashv1;
    const both = await Promise.all([start(), start({ autoInstall: true })]);
    await both[0].models.load(id);
    const lists = await Promise.all(both.map(({ models }) => models.list()));
    return lists.map((list) => list.find((model) => model.id === id)?.state);
  }, TINY);
  expect(states).toEqual(['loaded', 'loaded']);
});

test('however often a page starts and stops, no lock stays behind', async ({ fresh, site }) => {
  const leader = await openPage(fresh, site.url);
  await leader.evaluate(async () => {
    await window.begin();
    // The engine keeps the connection by which it asks for the browser's own model.
    await window.v1.models.list();
  });
  const page = await openPage(fresh, site.url);
  const before = await locks(leader);
  await page.evaluate(async () => {
    for (let round = 0; round < 3; round++) {
      const v1 = await window.slashv1.start();
      await v1.models.list();
      await v1.stop();
    }
  });
  await expect.poll(() => locks(leader)).toEqual(before);
  await leader.evaluate(() => window.v1.stop());
  await expect.poll(() => locks(leader)).toEqual([]);
});

test('a key that two tabs share is valid until the last of them stops', async ({ fresh, site }) => {
  const apiKey = `sk-slashv1-${'k'.repeat(43)}`;
  const tabs = [await openPage(fresh, site.url), await openPage(fresh, site.url)];
  for (const tab of tabs) await tab.evaluate((key) => window.begin({ apiKey: key }), apiKey);
  const [first, second] = tabs;
  if (!first || !second) throw new Error('No tab.');
  await first.evaluate(() => window.v1.stop());
  expect(await statusWith(second, apiKey)).toBe(200);
  await second.evaluate(() => window.v1.stop());
  expect(await statusWith(second, apiKey)).toBe(401);
});
