import type { Page } from 'playwright/test';
import { HEALTH_PATH } from '../../../src/core/realms/messages.ts';
import type { StartOptions } from '../../../src/index.ts';
import { chunksOf, say } from '../support/chat.ts';
import { begin, expect, openPage, reloadPage, test as base, TINY } from '../support/fixtures.ts';
import { GREETING } from '../support/prompts.ts';
import { replaceFile, serveTestSite, type TestSite } from '../support/site.ts';
import { stopServiceWorkers } from '../support/browser/undebugged.ts';

/** Each test has its own site, and a page of it in which the API does not run yet. */
const test = base.extend<{ ownSite: TestSite; page: Page }>({
  ownSite: async ({ closing }, use) => {
    await use(closing(await serveTestSite('/', ['tiny-chat'])));
  },
  page: async ({ undebugged, ownSite }, use) => {
    await use(await openPage(undebugged, ownSite.url));
  },
});

/** Registers a script as the site does, and starts the API with the registration. */
function beginWith(page: Page, script: string, type: WorkerType): Promise<unknown> {
  return page.evaluate(
    async ([url, kind, model]) => {
      const serviceWorker = await navigator.serviceWorker.register(url, { type: kind });
      return window.begin({ serviceWorker, model });
    },
    [script, type, TINY] as const,
  );
}

function ownRoute(page: Page): Promise<string> {
  return page.evaluate(async () => (await fetch('/own')).text());
}

/** URL of the script that controls the page. */
function controller(page: Page): Promise<string | undefined> {
  return page.evaluate(() => navigator.serviceWorker.controller?.scriptURL);
}

/** Code and message of the error that `start` throws. */
function failure(page: Page, options: StartOptions = {}): Promise<string[]> {
  return page.evaluate(async (given) => {
    try {
      await window.slashv1.start(given);
    } catch (error) {
      if (error instanceof window.slashv1.StartError) return [error.code, error.message];
      throw error;
    }
    return [];
  }, options);
}

/** How often the page has asked the server whether slashv1 answers. */
function probes({ requests }: TestSite): number {
  return requests.filter((path) => path === `/${HEALTH_PATH}`).length;
}

const OWN_WORKERS: [string, WorkerType][] = [
  ['module-sw.js', 'module'],
  ['classic-sw.js', 'classic'],
];

for (const [script, type] of OWN_WORKERS) {
  test(`a site's own service worker answers for slashv1 and for the site: ${script}`, async ({
    ownSite,
    page,
  }) => {
    await beginWith(page, script, type);
    expect(await controller(page)).toBe(ownSite.url + script);
    expect(await say(page, 'Hello!')).toBe(GREETING);
    expect((await chunksOf(page, {})).length).toBeGreaterThan(2);
    expect(await ownRoute(page)).toBe('the own route');

    await stopServiceWorkers(page);
    expect(await say(page, 'Hello!')).toBe(GREETING);

    await reloadPage(page);
    await beginWith(page, script, type);
    expect(await say(page, 'Hello!')).toBe(GREETING);
    expect(await ownRoute(page)).toBe('the own route');
    expect(ownSite.requests).not.toContain('/sw.js');
  });
}

test('a classic script is registered by its URL', async ({ ownSite, page }) => {
  await begin(page, { serviceWorker: 'classic-sw.js', model: TINY });
  expect(await controller(page)).toBe(`${ownSite.url}classic-sw.js`);
  expect(await say(page, 'Hello!')).toBe(GREETING);
});

test('a service worker that does not allow a claim makes none, and the error says to reload', async ({
  page,
}) => {
  const serviceWorker = 'reluctant-sw.js';
  const [code, message] = await failure(page, { serviceWorker });
  expect(code).toBe('page_not_controlled');
  expect(message).toMatch(/reluctant-sw\.js.*Reload.*allowClaim/s);
  expect(await controller(page)).toBeUndefined();
  await reloadPage(page);
  await begin(page, { serviceWorker, model: TINY });
  expect(await say(page, 'Hello!')).toBe(GREETING);
});

test("a new version of a site's service worker waits until the site lets it take over", async ({
  ownSite,
  page,
}) => {
  await begin(page, { serviceWorker: 'classic-sw.js', model: TINY });
  ownSite.builds['classic-sw.js'] = '// another build';
  const waits = await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    await registration.update();
    const { installing } = registration;
    await new Promise((resolve) => installing?.addEventListener('statechange', resolve));
    return registration.waiting !== null;
  });
  expect(waits).toBe(true);
  expect(await say(page, 'Hello!')).toBe(GREETING);
  expect(
    await page.evaluate(async () => (await navigator.serviceWorker.ready).waiting?.state),
  ).toBe('installed');
});

test('a site can replace its service worker by one with slashv1', async ({ page }) => {
  await page.evaluate(async () => {
    await navigator.serviceWorker.register('foreign-sw.js');
    await navigator.serviceWorker.ready;
  });
  await beginWith(page, 'module-sw.js', 'module');
  expect(await say(page, 'Hello!')).toBe(GREETING);
});

test('a foreign service worker at the scope is named, and it stays', async ({ ownSite, page }) => {
  await page.evaluate(async () => {
    const controlled = new Promise((resolve) =>
      navigator.serviceWorker.addEventListener('controllerchange', resolve),
    );
    await navigator.serviceWorker.register('foreign-sw.js');
    await controlled;
  });
  const [code, message] = await failure(page);
  expect(code).toBe('foreign_service_worker');
  expect(message).toContain(`${ownSite.url}foreign-sw.js`);
  expect(message).toContain('handle()');
  expect(probes(ownSite)).toBe(1);
  expect(ownSite.requests).not.toContain('/sw.js');
  expect(await ownRoute(page)).toBe('the own route');
});

test('so is one that has the name of our script', async ({ ownSite, page }) => {
  ownSite.intercept = replaceFile('/sw.js', 'self.addEventListener("fetch", () => {});');
  const [code, message] = await failure(page);
  expect(code).toBe('foreign_service_worker');
  expect(message).toContain(`${ownSite.url}sw.js`);
  expect(probes(ownSite)).toBeLessThan(3);
});
