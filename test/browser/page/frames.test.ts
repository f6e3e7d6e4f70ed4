import type { Frame } from 'playwright/test';
import { expect, openPage, test, TINY, withProfile } from '../support/fixtures.ts';
import { GREETING, user } from '../support/prompts.ts';
import { openFrame } from '../support/browser/frames.ts';
import { noteWaits, startFailure } from '../support/browser/start-failure.ts';

const SRCDOC = '<!doctype html><script type="module" src="/page.js"></script>';

/** Checks that a frame did not wait for a long timeout. It measures timers, so a slow machine does not matter. */
async function expectAtOnce(frame: Frame): Promise<void> {
  expect(await frame.evaluate(() => window.longestWait)).toBeLessThan(5_000);
}

test('a sandboxed frame without allow-same-origin is told at once', async ({ fresh, site }) => {
  site.intercept = (_request, response) => {
    // A page without an origin may import modules only like this.
    response.setHeader('access-control-allow-origin', '*');
    return false;
  };
  const page = await openPage(fresh, site.url);
  const frame = await openFrame(page, { sandbox: 'allow-scripts', src: '/' }, 'begin');
  site.intercept = undefined;
  for (const serviceWorker of [true, false]) {
    await noteWaits(frame);
    const [code, message] = await startFailure(frame, { base: '/', serviceWorker });
    expect([code, message]).toEqual([
      'storage_unavailable',
      expect.stringContaining('allow-same-origin'),
    ]);
    await expectAtOnce(frame);
  }
});

test('a cross-site frame without storage is told at once', async ({ fresh, site }) => {
  const uncaught: string[] = [];
  const page = await openPage(fresh, site.url);
  page.on('pageerror', ({ message }) => uncaught.push(message));
  const other = new URL(site.url);
  other.hostname = other.hostname === 'localhost' ? '127.0.0.1' : 'localhost';
  const frame = await openFrame(page, { src: other.href }, 'begin');
  for (const serviceWorker of [true, false]) {
    await noteWaits(frame);
    const [code, message] = await startFailure(frame, { serviceWorker });
    expect([code, message]).toEqual([
      'storage_unavailable',
      expect.stringContaining('in a tab of its own'),
    ]);
    await expectAtOnce(frame);
  }
  expect(uncaught).toEqual([]);
});

test('a srcdoc frame chats with v1.fetch', async ({ fresh, site }) => {
  const page = await openPage(fresh, site.url);
  const frame = await openFrame(page, { srcdoc: SRCDOC }, 'begin');
  await frame.evaluate((model) => window.begin({ serviceWorker: false, model }), TINY);
  const text = await frame.evaluate(
    async ([model, message]) => {
      const request = { model, messages: [message], temperature: 0 };
      return (await window.client.chat.completions.create(request)).choices[0]?.message.content;
    },
    [TINY, user('Hello!')] as const,
  );
  expect(text).toBe(GREETING);
});

test('a srcdoc frame on a first visit gets a service worker', async ({ fresh, site }) => {
  const page = await openPage(fresh, site.url);
  const frame = await openFrame(page, { srcdoc: SRCDOC }, 'begin');
  await noteWaits(frame);
  expect(await startFailure(frame)).toEqual([]);
  await expectAtOnce(frame);
});

test('a page over plain http is told at once', async ({ site }) => {
  const { port } = new URL(site.url);
  const flags = ['--no-sandbox', '--host-resolver-rules=MAP plain.test 127.0.0.1'];
  await withProfile(async (context) => {
    const page = await openPage(context, `http://plain.test:${port}/`);
    expect((await startFailure(page))[0]).toBe('insecure_context');
    expect((await startFailure(page, { serviceWorker: false }))[0]).toBe('insecure_context');
  }, flags);
});
