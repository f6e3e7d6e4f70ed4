import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { ROOT } from '../../../scripts/stamp.ts';
import {
  PROTOCOL,
  type ToPage,
  type ToServiceWorker,
} from '../../../src/core/protocol/messages.ts';
import { injectPrecache } from '../../../src/node/precache.ts';
import { expect, openPage, reloadPage, test, TINY } from '../support/fixtures.ts';
import type { TestSite } from '../support/site.ts';
import { answerTo, openTabs, startStream, untilEnded, untilLength } from '../support/streamed.ts';

// Models are loaded again and again: on a busy machine that takes its time.
test.describe.configure({ timeout: 360_000 });

/**
 * How long a version may wait although no answer is under way. What reaches the one before it in the moment
 * in which it is stopped makes it begin again, and Chromium then waits until it was idle for 30 s.
 */
const LET_IN = { timeout: 120_000 };

const COUNT = { messages: [{ role: 'user', content: 'Count to 60.' }], temperature: 0 };

declare global {
  interface Window {
    /** For each change of the service worker, whether an answer was under way. */
    changes: boolean[];
    stages: string[];
  }
}

/** A service worker whose protocol is another one. */
const OTHER_BUILD = `self.addEventListener('fetch', (event) => {
  if (!event.request.url.endsWith('/v1/.slashv1')) return;
  event.respondWith(new Response(null, { headers: { 'x-slashv1': 'older' } }));
});
self.addEventListener('message', () => self.clients.claim());`;

/** Makes a service worker tell how often it was asked to take over. */
const COUNT_TAKE_OVERS = `
let takeOvers = 0;
self.addEventListener('message', ({ data, ports }) => {
  if (data === 'take-overs') ports[0].postMessage(takeOvers);
  if (data.type === 'slashv1:take-over') takeOvers++;
});`;

test.afterEach(({ site }) => {
  site.builds = {};
  site.intercept = undefined;
});

/** From now on the site has another build of the service worker, which this page finds. */
async function update(page: Page, site: TestSite, build: string, more = ''): Promise<void> {
  site.builds['sw.js'] = `\nself.build = '${build}';${more}`;
  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    await registration.update();
  });
}

/** Builds of the service workers that this page's registration has. */
function versions(page: Page) {
  return page.evaluate(async () => {
    const { active, waiting } = await navigator.serviceWorker.ready;
    return { active: active?.state, waiting: waiting?.state };
  });
}

async function noteChanges(page: Page): Promise<void> {
  await page.evaluate(() => {
    window.changes = [];
    navigator.serviceWorker.addEventListener('controllerchange', () =>
      window.changes.push('streamed' in window && !window.streamed.ended),
    );
    window.stages = [];
    window.v1.onProgress(({ stage }) => window.stages.push(stage));
  });
}

test('a new version of the service worker waits for the end of a stream, and is let in then', async ({
  undebugged,
  site,
}) => {
  const [leader, reader] = await openTabs(undebugged, site, 2);
  if (!reader) throw new Error('No other tab.');
  const whole = await answerTo(reader, COUNT);
  await noteChanges(reader);
  await startStream(reader, COUNT);
  await untilLength(reader, 20);
  await update(leader, site, 'second');
  await expect.poll(() => versions(leader)).toEqual({ active: 'activated', waiting: 'installed' });
  const { text } = whole;
  expect(await untilEnded(reader)).toMatchObject({ text, done: true, error: null });
  await expect.poll(() => reader.evaluate(() => window.changes), LET_IN).toEqual([false]);
  for (const tab of [leader, reader]) expect((await answerTo(tab, COUNT)).text).toBe(text);
  // Nothing had to be loaded again for it.
  expect(await reader.evaluate(() => window.stages)).not.toContain('load');
});

test('a new version is let in at once when no answer is under way, whichever tab finds it', async ({
  undebugged,
  site,
}) => {
  const [page] = await openTabs(undebugged, site, 1);
  const whole = await answerTo(page, COUNT);
  await noteChanges(page);
  await update(page, site, 'second');
  await expect.poll(() => page.evaluate(() => window.changes), LET_IN).toEqual([false]);
  expect((await answerTo(page, COUNT)).text).toBe(whole.text);
  // A tab that opens looks for updates itself.
  site.builds['sw.js'] = `\nself.build = 'third';`;
  const other = await openPage(undebugged, site.url);
  await other.evaluate(() => window.begin());
  await expect.poll(() => page.evaluate(() => window.changes), LET_IN).toEqual([false, false]);
  for (const tab of [page, other]) expect((await answerTo(tab, COUNT)).text).toBe(whole.text);
});

test('of several tabs one asks for the new version, once', async ({ undebugged, site }) => {
  const tabs = await openTabs(undebugged, site, 3);
  const [page] = tabs;
  await Promise.all(tabs.map(noteChanges));
  await update(page, site, 'second', COUNT_TAKE_OVERS);
  for (const tab of tabs) {
    await expect.poll(() => tab.evaluate(() => window.changes.length), LET_IN).toBe(1);
  }
  const takeOvers = await page.evaluate(
    () =>
      new Promise((resolve) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = ({ data }) => resolve(data);
        navigator.serviceWorker.controller?.postMessage('take-overs', [port2]);
      }),
  );
  expect(takeOvers).toBe(1);
});

test('tabs whose requests go past the new version reach the next one, and so does a tab that opens', async ({
  undebugged,
  site,
}) => {
  const tabs = await openTabs(undebugged, site, 2);
  const [page] = tabs;
  const { text } = await answerTo(page, COUNT);
  const whole = (tab: Page) => answerTo(tab, COUNT).then((answer) => answer.text);
  // What Chromium does where the service worker's process crashes while a version takes over, which no
  // test can bring about at will: the tabs are controlled, and their requests reach the site's server.
  for (const tab of tabs) {
    await tab.evaluate(() => {
      const reach = window.fetch;
      window.fetch = (input, init) => {
        const { scriptURL = '' } = navigator.serviceWorker.controller ?? {};
        const isLost = changes.length > 0 && scriptURL.endsWith('/sw.js');
        return isLost ? Promise.resolve(new Response(null, { status: 404 })) : reach(input, init);
      };
      const changes: string[] = [];
      navigator.serviceWorker.addEventListener('controllerchange', () => changes.push('change'));
    });
  }
  await update(page, site, 'second');
  const scripts = () =>
    Promise.all(
      tabs.map((tab) => tab.evaluate(() => navigator.serviceWorker.controller?.scriptURL)),
    );
  const again = `${site.url}sw.js?again`;
  await expect.poll(scripts, LET_IN).toEqual([again, again]);
  for (const tab of tabs) expect(await whole(tab)).toBe(text);
  await Promise.all(tabs.map(reloadPage));
  for (const tab of tabs) {
    await tab.evaluate(() => window.begin());
    expect(await whole(tab)).toBe(text);
  }
  const script = `${site.url}sw.js`;
  await expect.poll(scripts, LET_IN).toEqual([script, script]);
  for (const tab of tabs) expect(await whole(tab)).toBe(text);
});

test('a version that could not work with the open tabs waits for them to close', async ({
  undebugged,
  site,
}) => {
  const page = await openPage(undebugged, site.url);
  // Without the page library, nobody lets anything in.
  await page.evaluate(async () => {
    await navigator.serviceWorker.register('sw.js');
    await navigator.serviceWorker.ready;
  });
  await page.reload();
  await update(page, site, 'second');
  await expect.poll(() => versions(page)).toEqual({ active: 'activated', waiting: 'installed' });
  const asked = await page.evaluate(async () => {
    const { waiting } = await navigator.serviceWorker.ready;
    const send = (message: ToServiceWorker) => waiting?.postMessage(message);
    send({ type: 'slashv1:take-over', protocol: 'older' });
    // It answers this after that.
    send({ type: 'slashv1:connect' });
    return new Promise((resolve) => {
      navigator.serviceWorker.addEventListener('message', ({ data }: MessageEvent<ToPage>) =>
        resolve(data.type),
      );
      navigator.serviceWorker.startMessages();
    });
  });
  expect(asked).toBe('slashv1:port-wanted');
  expect(await versions(page)).toEqual({ active: 'activated', waiting: 'installed' });
  await page.evaluate(async (protocol) => {
    const { waiting } = await navigator.serviceWorker.ready;
    const message: ToServiceWorker = { type: 'slashv1:take-over', protocol };
    waiting?.postMessage(message);
  }, PROTOCOL);
  await expect
    .poll(() => versions(page), LET_IN)
    .toEqual({ active: 'activated', waiting: undefined });
});

test('an engine of another build than its tab refuses every request', async ({
  undebugged,
  site,
}) => {
  const page = await openPage(undebugged, site.url);
  const refusal = await page.evaluate(
    ([base]) =>
      new Promise((resolve) => {
        const worker = new Worker('engine.js', { type: 'module' });
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = ({ data }) => resolve(data);
        const config = { protocol: 'older', base, hub: base, libraries: base };
        worker.postMessage({ type: 'slashv1:configure', config });
        worker.postMessage({ type: 'slashv1:attach' }, [port2]);
      }),
    [site.url],
  );
  expect(refusal).toMatchObject({ type: 'refused', error: { code: 'engine_error' } });
});

test('a page of another build than the service worker says so', async ({ undebugged, site }) => {
  const page = await openPage(undebugged, site.url);
  site.intercept = ({ url = '' }, response) => {
    if (!url.endsWith('/sw.js')) return false;
    response.writeHead(200, { 'content-type': 'text/javascript' }).end(OTHER_BUILD);
    return true;
  };
  const message = await page.evaluate(
    (model) => window.begin({ model }).catch((error: Error) => error.message),
    TINY,
  );
  expect(message).toContain('close all of them');
});

test('a tab of an older build still finds what it loads late, until all such tabs are closed', async ({
  undebugged,
  site,
}) => {
  const serviceWorker = readFileSync(join(ROOT, 'dist/lib/sw.js'), 'utf8');
  let build = 1;
  // As bundlers name them: each build has another file, and the server only those of the last.
  site.intercept = ({ url = '' }, response) => {
    const late = `late-${build}.js`;
    const script = url.endsWith('/sw.js')
      ? injectPrecache(serviceWorker, [{ url: late, revision: `${build}` }])
      : `export const build = ${build};`;
    if (!url.endsWith('/sw.js') && !url.endsWith(`/${late}`)) return false;
    response.writeHead(200, { 'content-type': 'text/javascript' }).end(script);
    return true;
  };
  const page = await openPage(undebugged, site.url);
  await page.evaluate(() => window.begin());
  await page.evaluate(() => {
    window.changes = [];
    navigator.serviceWorker.addEventListener('controllerchange', () => window.changes.push(false));
  });
  build = 2;
  await page.evaluate(async () => (await navigator.serviceWorker.ready).update());
  await expect.poll(() => page.evaluate(() => window.changes), LET_IN).toEqual([false]);
  const load = (file: string) =>
    page.evaluate(
      (name) =>
        import(name).then(
          (late: { build: number }) => late.build,
          () => 'is gone',
        ),
      file,
    );
  expect(await load('/late-1.js')).toBe(1);
  expect(await load('/late-2.js')).toBe(2);
  expect(await load('/late-3.js')).toBe('is gone');
  const kept = (tab: Page) =>
    tab.evaluate(async () => {
      const caching = (await caches.keys()).map(async (name) => (await caches.open(name)).keys());
      return (await Promise.all(caching)).flat().map(({ url }) => new URL(url).pathname);
    });
  expect(await kept(page)).toEqual(['/late-1.js', '/late-2.js']);
  await page.close();
  const next = await openPage(undebugged, site.url);
  await expect.poll(() => kept(next)).toEqual(['/late-2.js']);
});
