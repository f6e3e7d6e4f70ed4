import { say } from '../browser/support/chat.ts';
import { GREETING } from '../browser/support/prompts.ts';
import { TINY } from '../browser/support/site.ts';
import { begin, expect, test } from './support/fixtures.ts';

test('a site without headers is isolated by one reload, and answers', async ({ site, newTab }, {
  project,
}) => {
  test.skip(project.name === 'webkit', 'Its driver hangs then: isolate-webkit.test.ts has none.');
  const tab = await newTab(site.url);
  await tab.evaluate(() => void window.begin({ isolate: true, engines: ['llamacpp'] }));
  const isIsolated = () => tab.evaluate(() => crossOriginIsolated && 'begin' in window);
  await expect.poll(() => isIsolated().catch(() => false)).toBe(true);
  await begin(tab, { isolate: true, threads: 2, model: TINY });
  expect(await tab.evaluate(() => window.v1.device.isolated)).toBe(true);
  expect(await say(tab, 'Hello!')).toBe(GREETING);
  // Two loads; the service worker may have fetched each page once more, to keep it.
  const pages = site.requests.filter((path) => path === '/');
  expect(pages.length).toBeGreaterThanOrEqual(2);
  expect(pages.length).toBeLessThanOrEqual(4);
});

test("a site's own service worker answers", async ({ site, newTab }) => {
  const tab = await newTab(site.url);
  await begin(tab, { serviceWorker: 'classic-sw.js', model: TINY });
  expect(await say(tab, 'Hello!')).toBe(GREETING);
  expect(await tab.evaluate(async () => (await fetch('/own')).text())).toBe('the own route');
});
