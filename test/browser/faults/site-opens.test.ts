import type { Page } from 'playwright/test';
import { expect, openPage, openStarted, test as base, type TestSite } from '../support/fixtures.ts';
import { serveTestSite, type Intercept } from '../support/site.ts';
import { startFailure } from '../support/browser/start-failure.ts';
import { stopServiceWorkers } from '../support/browser/undebugged.ts';

const test = base.extend<{ ownSite: TestSite }>({
  ownSite: async ({ closing }, use) => {
    await use(closing(await serveTestSite('/', ['tiny-chat'])));
  },
});

/** Sends this policy with all files, or with those whose path ends in this name. */
function withPolicy(policy: string, name = ''): Intercept {
  return ({ url = '/' }, response) => {
    if (url.replace(/\?.*/, '').endsWith(name)) {
      response.setHeader('content-security-policy', policy);
    }
    return false;
  };
}

/** Checks that the site opens in this tab, in a new one and below other paths, as it would without slashv1. */
async function expectToOpen(page: Page, { url }: TestSite): Promise<void> {
  const tab = await page.context().newPage();
  for (const [each, address] of [
    [page, url],
    [tab, url],
    [tab, `${url}deep/route/`],
  ] as const) {
    await each.goto(address);
    expect(await each.title()).toBe('slashv1 test page');
  }
  await tab.close();
}

function registrations(page: Page): Promise<number> {
  return page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length);
}

const OTHERS = "script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'";

const POLICIES: [name: string, policy: string, file?: string][] = [
  ['no connect-src', `default-src 'none'; ${OTHERS}`],
  ['an empty connect-src', `connect-src; ${OTHERS}`],
  ['connect-src of another host', `connect-src https://example.com; ${OTHERS}`],
  ['connect-src without the pages', `connect-src http://localhost:1/v1/; ${OTHERS}`],
  ['sw.js may send nothing', "connect-src 'none'", 'sw.js'],
  ['sw.js may send to /v1 only', 'connect-src /v1/', 'sw.js'],
  ['sw.js may do nothing', "default-src 'none'", 'sw.js'],
  ['sw.js may load no script', "script-src 'none'", 'sw.js'],
  [
    'sw.js needs trusted types of another name',
    "require-trusted-types-for 'script'; trusted-types other",
    'sw.js',
  ],
  ['sw.js is in a sandbox', 'sandbox', 'sw.js'],
  ['two policies', `connect-src 'self', connect-src 'none'`, 'sw.js'],
];

/** Policies that are deployed later as well. */
const LATER = new Set(['no connect-src', 'sw.js may do nothing', 'sw.js is in a sandbox']);

for (const [name, policy, file] of POLICIES) {
  test(`a site whose policy keeps the API from working opens all the same, and works once it is mended: ${name}`, async ({
    undebugged,
    ownSite,
  }) => {
    ownSite.intercept = withPolicy(policy, file);
    const page = await openPage(undebugged, ownSite.url);
    const [code, message] = await startFailure(page);
    expect(['blocked_by_policy', 'service_worker_failed']).toContain(code);
    expect(message).toMatch(/policy/);
    expect(await registrations(page)).toBe(0);
    await expectToOpen(page, ownSite);
    ownSite.intercept = undefined;
    await expectToOpen(page, ownSite);
    await openStarted(undebugged, ownSite.url);
  });
}

for (const [name, policy, file] of POLICIES.filter(([each]) => LATER.has(each))) {
  test(`a site opens, and its API works, after a deploy whose policy keeps the new version from working: ${name}`, async ({
    undebugged,
    ownSite,
  }) => {
    const page = await openStarted(undebugged, ownSite.url);
    ownSite.builds['sw.js'] = `\nself.build = 'second';`;
    ownSite.intercept = withPolicy(policy, file);
    // The browser looks for the new version, as it does at each visit.
    await page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready;
      await registration.update().catch(() => undefined);
    });
    await stopServiceWorkers(page);
    await expectToOpen(page, ownSite);
    ownSite.intercept = undefined;
    await expectToOpen(page, ownSite);
    await openStarted(undebugged, ownSite.url);
  });
}

/** What runs before a script of the service worker, but not while it is installed. */
const later = (code: string) => `if (self.registration.active) { ${code} }\n`;

const BREAKS: [name: string, script: string, code: string][] = [
  ['sw-api.js throws', 'sw-api.js', later(`throw new Error('broken');`)],
  ['sw.js throws at its start', 'sw.js', later(`throw new Error('broken');`)],
  [
    'caches cannot be opened',
    'sw.js',
    later(`caches.open = async () => { throw new Error('broken'); };`),
  ],
  ['caches throw at once', 'sw.js', later(`caches.open = () => { throw new Error('broken'); };`)],
  [
    'there are no caches',
    'sw.js',
    later(`Object.defineProperty(self, 'caches', { value: undefined });`),
  ],
  ['caches never answer', 'sw.js', later(`caches.open = () => new Promise(() => undefined);`)],
  [
    'files cannot be read',
    'sw.js',
    later(`Cache.prototype.match = async () => { throw new Error('broken'); };`),
  ],
  [
    'nothing can be kept',
    'sw.js',
    later(
      `Cache.prototype.put = async () => { throw new DOMException('full', 'QuotaExceededError'); };`,
    ),
  ],
  ['the database throws', 'sw.js', later(`indexedDB.open = () => { throw new Error('broken'); };`)],
  [
    'there are no locks',
    'sw.js',
    later(`Object.defineProperty(navigator, 'locks', { value: undefined });`),
  ],
  [
    'responses cannot be copied',
    'sw.js',
    later(`Response.prototype.clone = () => { throw new Error('broken'); };`),
  ],
  [
    'events are over',
    'sw.js',
    later(
      `ExtendableEvent.prototype.waitUntil = () => { throw new DOMException('over', 'InvalidStateError'); };`,
    ),
  ],
];

for (const [name, script, code] of BREAKS) {
  test(`a site opens although its service worker is broken: ${name}`, async ({
    undebugged,
    ownSite,
  }) => {
    ownSite.preludes[script] = code;
    const page = await openStarted(undebugged, ownSite.url);
    await stopServiceWorkers(page);
    await expectToOpen(page, ownSite);
    // The service worker has run: it is not the browser that went without.
    expect(await registrations(page)).toBe(1);
  });
}

const GONE: [name: string, intercept: Intercept][] = [404, 500, 200].flatMap((status) =>
  ['sw.js', 'sw-api.js'].map((file): [string, Intercept] => [
    `${file} is answered with a page and ${status}`,
    ({ url = '' }, response) => {
      if (!url.startsWith(`/${file}`)) return false;
      response.writeHead(status, { 'content-type': 'text/html' }).end('<!doctype html>');
      return true;
    },
  ]),
);

for (const [name, intercept] of GONE) {
  test(`a site opens, and its API works, when afterwards ${name}`, async ({
    undebugged,
    ownSite,
  }) => {
    const page = await openStarted(undebugged, ownSite.url);
    await stopServiceWorkers(page);
    ownSite.intercept = intercept;
    await expectToOpen(page, ownSite);
    await openStarted(undebugged, ownSite.url);
  });
}

test('a page that was visited opens although the server says nothing any more', async ({
  undebugged,
  ownSite,
}) => {
  const page = await openStarted(undebugged, ownSite.url);
  ownSite.intercept = ({ url }, response) => {
    if (url !== '/visited') return false;
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><h1>Visited</h1>');
    return true;
  };
  const visited = `${ownSite.url}visited`;
  await page.goto(visited);
  const isKept = () =>
    page.evaluate(async (url) => (await caches.match(url)) !== undefined, visited);
  await expect.poll(isKept).toBe(true);
  ownSite.intercept = () => true;
  await page.goto(visited, { timeout: 60_000 });
  await expect(page.locator('h1')).toHaveText('Visited');
});
