import { say } from '../browser/support/chat.ts';
import { COUNT, COUNTED, GREETING } from '../browser/support/prompts.ts';
import { TINY } from '../browser/support/site.ts';
import { startStream, untilEnded } from '../browser/support/streamed.ts';
import { begin, expect, test } from './support/fixtures.ts';
import type { Tab } from './support/driver.ts';

const WITHOUT = { serviceWorker: false };

const registrations = (tab: Tab) =>
  tab.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length);

test('tabs without a service worker share an engine, and the second one takes over', async ({
  site,
  hold,
  newTab,
}) => {
  const first = await newTab(site.url);
  await begin(first, { ...WITHOUT, model: TINY });
  expect(await say(first, 'Hello!')).toBe(GREETING);
  const second = await newTab(site.url);
  const before = site.requests.length;
  await begin(second, WITHOUT);
  await hold.at({ tokens: 10 });
  await startStream(second, COUNT);
  await hold.untilHeld();
  expect(site.requests.slice(before)).not.toContain('/engine.js');
  await first.close();
  await hold.release();
  expect(await untilEnded(second)).toMatchObject({ status: 200, text: COUNTED, done: true });
  expect(site.requests.slice(before)).toContain('/engine.js');
  expect(await registrations(second)).toBe(0);
});

test('an abort in mid-stream fails the reader, and the next request is answered', async ({
  site,
  hold,
  newTab,
}) => {
  const tab = await newTab(site.url);
  await begin(tab, { ...WITHOUT, model: TINY });
  await hold.at({ tokens: 10 });
  const outcome = await tab.evaluate(
    async (body) => {
      const aborting = new AbortController();
      const response = await window.post('chat/completions', body, { signal: aborting.signal });
      const reader = response.body?.getReader();
      await reader?.read();
      aborting.abort();
      try {
        for (;;) if ((await reader?.read())?.done) return 'complete';
      } catch (error) {
        return (error as Error).name;
      }
    },
    { ...COUNT, model: TINY, stream: true },
  );
  expect(outcome).toBe('AbortError');
  await hold.release();
  expect(await say(tab, 'Hello!')).toBe(GREETING);
});

test('a srcdoc frame is answered, or told soon to use v1.fetch', async ({ site, newTab }) => {
  const tab = await newTab(site.url);
  const outcome = await tab.evaluate(async () => {
    const frame = document.createElement('iframe');
    frame.srcdoc = '<!doctype html><script type="module" src="/page.js"></script>';
    const loaded = new Promise((resolve) => (frame.onload = resolve));
    document.body.append(frame);
    await loaded;
    const inner = frame.contentWindow as Window & typeof globalThis;
    let longestWait = 0;
    const { setTimeout: later } = inner;
    inner.setTimeout = ((run: () => void, ms = 0) =>
      later(() => {
        longestWait = Math.max(longestWait, ms);
        run();
      }, ms)) as typeof setTimeout;
    const failure = await inner.slashv1.start({ engines: ['llamacpp'] }).then(
      () => '',
      (error: Error) => error.message,
    );
    const { data } = await inner
      .begin({ serviceWorker: false, engines: ['llamacpp'] })
      .then(() => inner.client.models.list());
    return { failure, longestWait, models: data.map(({ id }) => id) };
  });
  expect(outcome.longestWait).toBeLessThan(10_000);
  expect(outcome.failure).toMatch(/^$|v1\.fetch/);
  expect(outcome.models).toContain(TINY);
});
