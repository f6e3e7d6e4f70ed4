import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { begin, expect, openPage, reloadPage, TINY } from '../support/fixtures.ts';
import { chat, OPENAI, OPTIONS, statusOf, test } from '../support/upstreams/intercepting.ts';
import { COUNT, COUNTED, GREETING } from '../support/prompts.ts';
import { LIBRARY_FOLDER } from '../support/site.ts';
import { startStream, untilEnded } from '../support/streamed.ts';

const OTHER = 'https://llm.example/api/v1';

/** Returns when the URL of the service worker does not contain this. */
async function untilReplaced(page: Page, part: string): Promise<void> {
  await expect
    // Chromium may keep the one before until it has been idle for 30 seconds.
    .poll(() => page.evaluate(() => navigator.serviceWorker.controller?.scriptURL), {
      timeout: 90_000,
    })
    .not.toContain(part);
}

test('a page that does not name the option keeps it; another list is added while the first page is open', async ({
  hosts,
  ownSite,
  page,
}) => {
  await begin(page, OPTIONS);
  const second = await openPage(hosts.context, ownSite.url);
  await begin(second);
  expect(await statusOf(second, `${OPENAI}/models`)).toBe(200);
  expect(await chat(page)).toBe(GREETING);
  await second.evaluate(() => window.v1.stop());
  await begin(second, { intercept: [OTHER] });
  for (const tab of [page, second]) {
    expect(await statusOf(tab, `${OPENAI}/models`)).toBe(200);
    expect(await statusOf(tab, `${OTHER}/models`)).toBe(200);
  }
  expect(hosts.connections()).toBe(0);
  await page.close();
  await expect
    .poll(() => second.evaluate(async () => JSON.stringify(await navigator.locks.query())))
    .not.toContain(OPENAI);
  await reloadPage(second);
  await begin(second, { intercept: [OTHER] });
  expect(await statusOf(second, `${OTHER}/models`)).toBe(200);
  await untilReplaced(second, 'api.openai.com');
  expect(await statusOf(second, `${OPENAI}/models`)).toBe('Failed to fetch');
  expect(hosts.connections()).toBeGreaterThan(0);
});

test('two tabs that start at once with different lists have both', async ({
  hosts,
  ownSite,
  page,
}) => {
  const second = await openPage(hosts.context, ownSite.url);
  await Promise.all([begin(page, OPTIONS), begin(second, { intercept: [OTHER] })]);
  for (const tab of [page, second]) {
    expect(await statusOf(tab, `${OPENAI}/models`)).toBe(200);
    expect(await statusOf(tab, `${OTHER}/models`)).toBe(200);
  }
  expect(hosts.connections()).toBe(0);
});

test('an empty list ends it, also if the new service worker is still being installed when the page has started', async ({
  hosts,
  ownSite,
  page,
}) => {
  await begin(page, OPTIONS);
  await page.evaluate(() => window.v1.stop());
  const { promise: started, resolve: hasStarted } = Promise.withResolvers<void>();
  ownSite.intercept = ({ url }, response) => {
    if (!url?.startsWith('/sw-api.js')) return false;
    response.setHeader('content-type', 'text/javascript');
    const script = readFileSync(join(LIBRARY_FOLDER, 'sw-api.js'));
    void started.then(() => response.end(script));
    return true;
  };
  await begin(page, { intercept: [] });
  hasStarted();
  await untilReplaced(page, 'intercept');
  expect(await statusOf(page, `${OPENAI}/models`)).toBe('Failed to fetch');
  expect(hosts.connections()).toBeGreaterThan(0);
});

test('start waits for the answers under way in other tabs, and then all tabs are covered', async ({
  hosts,
  ownSite,
  page,
  ownHold,
}) => {
  await begin(page, { model: TINY });
  const second = await openPage(hosts.context, ownSite.url);
  await ownHold.at({ tokens: 10 });
  await startStream(page, COUNT);
  await ownHold.untilHeld();
  const begun = begin(second, OPTIONS).then(() => page.evaluate(() => window.streamed.ended));
  const waiting = () =>
    page.evaluate(async () => (await navigator.serviceWorker.ready).waiting?.state);
  await expect.poll(waiting).toBe('installed');
  await ownHold.release();
  expect((await untilEnded(page)).text).toBe(COUNTED);
  expect(await begun).toBe(true);
  expect(await statusOf(page, `${OPENAI}/models`)).toBe(200);
  expect(hosts.connections()).toBe(0);
});

test('a new version of the service worker intercepts from its first request on', async ({
  hosts,
  ownSite,
  page,
}) => {
  await begin(page, OPTIONS);
  ownSite.builds['sw.js'] = '// another build';
  await page.evaluate(async () => {
    const taken = new Promise((resolve) =>
      navigator.serviceWorker.addEventListener('controllerchange', resolve),
    );
    await (await navigator.serviceWorker.ready).update();
    await taken;
  });
  expect(await chat(page)).toBe(GREETING);
  expect(hosts.connections()).toBe(0);
});
