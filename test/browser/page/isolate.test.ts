import type { Page } from 'playwright/test';
import type { StartOptions } from '../../../src/index.ts';
import { LLAMACPP } from '../../../src/core/site/engine-files.ts';
import { say } from '../support/chat.ts';
import { begin, expect, openPage, reloadPage, test as base, TINY } from '../support/fixtures.ts';
import { GREETING } from '../support/prompts.ts';
import { joe, speak } from '../support/media/speaking.ts';
import { serveTestSite, type TestSite } from '../support/site.ts';
import { workersOf } from '../support/browser/tabs.ts';

/** A page of a site whose server sends no headers, and how often the page was loaded. */
const test = base.extend<{ ownSite: TestSite; page: Page; loads: () => number }>({
  ownSite: async ({ closing }, use) => {
    await use(closing(await serveTestSite('/', ['tiny-chat', 'test-piper'])));
  },
  page: async ({ fresh, ownSite }, use) => {
    await use(await openPage(fresh, ownSite.url));
  },
  loads: async ({ page }, use) => {
    let count = 0;
    page.on('domcontentloaded', () => count++);
    await use(() => count);
  },
});

const OPTIONS: StartOptions = { isolate: true, threads: 2, speechThreads: 2 };

/** Calls `start`, which reloads the page, and calls it again in the reloaded page. */
async function beginTwice(page: Page, options = OPTIONS): Promise<void> {
  const reloaded = page.waitForEvent('domcontentloaded');
  await page.evaluate((given) => void window.begin(given), options);
  await reloaded;
  await page.waitForFunction(() => 'begin' in window);
  await begin(page, { ...options, model: TINY });
}

function isIsolated(page: Page): Promise<boolean> {
  return page.evaluate(() => crossOriginIsolated && window.v1.device.isolated);
}

function threads(page: Page): number {
  return workersOf(page, LLAMACPP.threadScript).length;
}

test('a page is isolated by one reload, and several threads compute text and speech', async ({
  page,
  loads,
}) => {
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(false);
  await beginTwice(page);
  expect(await isIsolated(page)).toBe(true);
  expect(await say(page, 'Hello!')).toBe(GREETING);
  expect(threads(page)).toBeGreaterThan(0);
  const spoken = await speak(page, joe('Hello there.', { response_format: 'wav' }));
  expect(spoken.loudness).toBeGreaterThan(0.01);
  // The speech worker itself is the second thread.
  expect(workersOf(page, 'onnx-thread.js')).toHaveLength(1);
  expect(loads()).toBe(1);
  await reloadPage(page);
  await begin(page, { ...OPTIONS, model: TINY });
  expect(await isIsolated(page)).toBe(true);
  expect(await say(page, 'Hello!')).toBe(GREETING);
  expect(loads()).toBe(2);
});

test('it stays isolated with a new version of the service worker, and without a network', async ({
  ownSite,
  page,
  loads,
}) => {
  const files = ['./', 'page.js', 'engine.js'].map((url) => ({ url, revision: '1' }));
  ownSite.preludes['sw.js'] = `self.__WB_MANIFEST = ${JSON.stringify(files)};`;
  await beginTwice(page);
  ownSite.builds['sw.js'] = '// another build';
  await page.evaluate(async () => {
    const taken = new Promise((resolve) =>
      navigator.serviceWorker.addEventListener('controllerchange', resolve),
    );
    await (await navigator.serviceWorker.ready).update();
    await taken;
  });
  expect(await say(page, 'Hello!')).toBe(GREETING);
  ownSite.online = false;
  await reloadPage(page);
  await begin(page, { ...OPTIONS, model: TINY });
  expect(await isIsolated(page)).toBe(true);
  expect(await say(page, 'Hello!')).toBe(GREETING);
  expect(threads(page)).toBeGreaterThan(0);
  expect(loads()).toBe(2);
});

test('a page that cannot be isolated is reloaded once, and served on one thread', async ({
  ownSite,
  page,
  loads,
}) => {
  ownSite.intercept = (_request, response) => {
    response.setHeader('cross-origin-opener-policy', 'unsafe-none');
    return false;
  };
  await beginTwice(page);
  expect(await isIsolated(page)).toBe(false);
  expect(await say(page, 'Hello!')).toBe(GREETING);
  expect(loads()).toBe(1);
});

test('a site that was served without it is isolated from the next visit on', async ({
  page,
  loads,
}) => {
  await begin(page, { model: TINY });
  await page.evaluate(() => window.v1.stop());
  await begin(page, OPTIONS);
  expect(loads()).toBe(0);
  await expect
    .poll(() => page.evaluate(() => navigator.serviceWorker.controller?.scriptURL))
    .toContain('isolate');
  await reloadPage(page);
  await begin(page, { ...OPTIONS, model: TINY });
  expect(await isIsolated(page)).toBe(true);
  expect(await say(page, 'Hello!')).toBe(GREETING);
  expect(loads()).toBe(1);
});
