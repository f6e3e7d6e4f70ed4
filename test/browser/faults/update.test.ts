import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { ROOT } from '../../../scripts/build/stamp.ts';
import { PROTOCOL, type ToPage, type ToServiceWorker } from '../../../src/core/realms/messages.ts';
import { injectPrecache } from '../../../src/node/precache.ts';
import { begin, expect, openPage, openStarted, reloadPage, test } from '../support/fixtures.ts';
import { COUNT, COUNTED } from '../support/prompts.ts';
import { replaceFile } from '../support/site.ts';
import { answerTo, startStream, untilEnded } from '../support/streamed.ts';
import { openTabs } from '../support/browser/tabs.ts';
import { changesOf, noteChanges, states, update } from '../support/browser/updates.ts';

// Models are loaded several times, which is slow on a busy machine.
test.describe.configure({ timeout: 360_000 });

/**
 * A new version may wait although no answer is being sent. If a request reaches the old service worker
 * just when it is stopped, it starts again, and Chromium waits until it was idle for 30 s.
 */
const ACTIVATION = { timeout: 120_000 };

/** The new version is to take over within a second of a stream's end. A busy machine may take longer; milliseconds. */
const SOON_MS = 3_000;

declare global {
  interface Window {
    isEnough: boolean;
  }
}

/** Makes a service worker count how often it was asked to take over. */
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

/** Checks that requests of each tab are answered. */
async function expectAnswers(tabs: Page[]): Promise<void> {
  for (const tab of tabs) expect((await answerTo(tab, COUNT)).text).toBe(COUNTED);
}

test('a new version of the service worker waits for the end of a stream, then takes over', async ({
  undebugged,
  site,
  hold,
}) => {
  const [leader, reader] = await openTabs(undebugged, site, 2);
  await noteChanges(reader);
  await hold.at({ tokens: 10 });
  await startStream(reader, COUNT);
  await hold.untilHeld();
  await update(leader, site, 'second');
  await expect.poll(() => states(leader)).toEqual({ active: 'activated', waiting: 'installed' });
  await hold.release();
  expect(await untilEnded(reader)).toMatchObject({ text: COUNTED, done: true, error: null });
  await expect.poll(() => changesOf(reader), ACTIVATION).toEqual([false]);
  const took = await reader.evaluate(
    () => (window.changedAt[0] ?? Infinity) - (window.streamed.times.at(-1) ?? 0),
  );
  expect(took).toBeLessThan(SOON_MS);
  await expectAnswers([leader, reader]);
  expect(await reader.evaluate(() => window.stages)).not.toContain('load');
});

test('a tab that is reloaded while a new version waits for the end of a stream opens as fast as ever', async ({
  undebugged,
  site,
  hold,
}) => {
  const [leader, reader, other] = await openTabs(undebugged, site, 3);
  const reload = async () => {
    const begun = Date.now();
    await reloadPage(other);
    return Date.now() - begun;
  };
  const usual = await reload();
  await hold.at({ tokens: 10 });
  await startStream(reader, COUNT);
  await hold.untilHeld();
  await update(leader, site, 'second');
  await expect.poll(() => states(leader)).toEqual({ active: 'activated', waiting: 'installed' });
  const times = [await reload(), await reload()];
  for (const time of times) expect(time).toBeLessThan(usual + SOON_MS);
  await begin(other);
  await hold.release();
  expect(await untilEnded(reader)).toMatchObject({ text: COUNTED, done: true, error: null });
  await expectAnswers([leader, reader, other]);
});

test('requests that keep coming when a stream ends do not delay the new version by half a minute', async ({
  undebugged,
  site,
  hold,
}) => {
  const [leader, reader] = await openTabs(undebugged, site, 2);
  await noteChanges(reader);
  await hold.at({ tokens: 10 });
  await startStream(reader, COUNT);
  await hold.untilHeld();
  await update(leader, site, 'second');
  await expect.poll(() => states(leader)).toEqual({ active: 'activated', waiting: 'installed' });
  await reader.evaluate(() => {
    window.isEnough = false;
    const headers = { authorization: `Bearer ${window.v1.apiKey}` };
    const ask = async () => {
      while (!window.isEnough) {
        await fetch(`${window.v1.baseURL}/models`, { headers });
        // Any message counts as work, as a request does.
        navigator.serviceWorker.controller?.postMessage({ type: 'slashv1:awake' });
      }
    };
    void Promise.all([ask(), ask(), ask()]);
  });
  await hold.release();
  expect(await untilEnded(reader)).toMatchObject({ text: COUNTED, done: true, error: null });
  await reader.evaluate(() => (window.isEnough = true));
  await expect.poll(() => changesOf(reader)).toEqual([false]);
  await expectAnswers([leader, reader]);
});

test('a new version takes over at once when no answer is being sent, whichever tab finds it', async ({
  undebugged,
  site,
}) => {
  const [page] = await openTabs(undebugged, site, 1);
  await noteChanges(page);
  await update(page, site, 'second');
  await expect.poll(() => changesOf(page), ACTIVATION).toEqual([false]);
  await expectAnswers([page]);
  // A new tab looks for updates itself.
  site.builds['sw.js'] = `\nself.build = 'third';`;
  const other = await openStarted(undebugged, site.url);
  await expect.poll(() => changesOf(page), ACTIVATION).toEqual([false, false]);
  await expectAnswers([page, other]);
});

test('only one of several tabs asks the new version to take over, and only once', async ({
  undebugged,
  site,
}) => {
  const tabs = await openTabs(undebugged, site, 3);
  const [page] = tabs;
  await Promise.all(tabs.map(noteChanges));
  await update(page, site, 'second', COUNT_TAKE_OVERS);
  for (const tab of tabs) {
    await expect.poll(async () => (await changesOf(tab)).length, ACTIVATION).toBe(1);
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

test('if the requests of all tabs miss the new version, open and new tabs are served by the next one', async ({
  undebugged,
  site,
}) => {
  const tabs = await openTabs(undebugged, site, 2);
  const [page] = tabs;
  await expectAnswers(tabs);
  // If the service worker's process crashes while a version takes over, Chromium sends the requests of
  // controlled tabs to the site's server. No test can cause that at will, so this one imitates it.
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
  const again = `${site.url}sw.js?again=`;
  await expect.poll(scripts, ACTIVATION).toEqual([again, again]);
  await expectAnswers(tabs);
  await Promise.all(tabs.map(reloadPage));
  for (const tab of tabs) {
    await begin(tab);
    await expectAnswers([tab]);
  }
  const script = `${site.url}sw.js`;
  await expect.poll(scripts, ACTIVATION).toEqual([script, script]);
  await expectAnswers(tabs);
});

test('a version with another protocol waits until the open tabs are closed', async ({
  undebugged,
  site,
}) => {
  const page = await openPage(undebugged, site.url);
  // Without the page library, nothing asks a new version to take over.
  await page.evaluate(async () => {
    await navigator.serviceWorker.register('sw.js');
    await navigator.serviceWorker.ready;
  });
  await page.reload();
  await update(page, site, 'second');
  await expect.poll(() => states(page)).toEqual({ active: 'activated', waiting: 'installed' });
  const reply = await page.evaluate(async () => {
    const { waiting } = await navigator.serviceWorker.ready;
    const send = (message: ToServiceWorker) => waiting?.postMessage(message);
    send({ type: 'slashv1:take-over', protocol: 'older' });
    // The reply to this shows that the first message has been handled.
    send({ type: 'slashv1:connect' });
    return new Promise((resolve) => {
      navigator.serviceWorker.addEventListener('message', ({ data }: MessageEvent<ToPage>) =>
        resolve(data.type),
      );
      navigator.serviceWorker.startMessages();
    });
  });
  expect(reply).toBe('slashv1:port-wanted');
  expect(await states(page)).toEqual({ active: 'activated', waiting: 'installed' });
  await page.evaluate(async (protocol) => {
    const { waiting } = await navigator.serviceWorker.ready;
    const message: ToServiceWorker = { type: 'slashv1:take-over', protocol };
    waiting?.postMessage(message);
  }, PROTOCOL);
  await expect
    .poll(() => states(page), ACTIVATION)
    .toEqual({ active: 'activated', waiting: undefined });
});

test('a tab of an older build can load its scripts until all such tabs are closed', async ({
  undebugged,
  site,
}) => {
  const serviceWorker = readFileSync(join(ROOT, 'dist/lib/sw.js'), 'utf8');
  let build = 1;
  // Bundlers give each build's scripts other names, and the server has only those of the latest build.
  site.intercept = (request, response) => {
    const late = `late-${build}.js`;
    const script = injectPrecache(serviceWorker, [{ url: late, revision: `${build}` }]);
    const files = [
      replaceFile('/sw.js', script),
      replaceFile(`/${late}`, `export const build = ${build};`),
    ];
    return files.some((intercept) => intercept(request, response));
  };
  const page = await openStarted(undebugged, site.url);
  await noteChanges(page);
  build = 2;
  await page.evaluate(async () => (await navigator.serviceWorker.ready).update());
  await expect.poll(() => changesOf(page), ACTIVATION).toEqual([false]);
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
      const paths = (await Promise.all(caching)).flat().map(({ url }) => new URL(url).pathname);
      // These are the library's. They are kept apart, when they have been loaded.
      return paths.filter((path) => path !== '/api.js' && path !== '/outlive.js');
    });
  expect(await kept(page)).toEqual(['/late-1.js', '/late-2.js']);
  await page.close();
  const next = await openPage(undebugged, site.url);
  await expect.poll(() => kept(next)).toEqual(['/late-2.js']);
});
