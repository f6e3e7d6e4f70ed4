import type { Page } from 'playwright/test';
import { expect, openPage, test as base, withProfile } from './support/fixtures.ts';
import { play } from './support/play.ts';
import { PIPER, serveTestSite, type TestSite } from './support/site.ts';

const SPEECH = { model: PIPER, voice: 'joe', input: 'Hello there. How are you today?' };

interface Fixtures {
  speechSite: TestSite;
  speaking: Page;
}

const test = base.extend<object, Fixtures>({
  speechSite: [
    async ({}, use) => {
      const site = await serveTestSite('/', ['tiny-chat', 'test-piper']);
      await use(site);
      await site.close();
    },
    { scope: 'worker' },
  ],
  speaking: [
    async ({ speechSite }, use) => {
      await withProfile(async (profile) => {
        const page = await openPage(profile, speechSite.url);
        await page.evaluate(() => window.begin());
        await use(page);
      });
    },
    { scope: 'worker' },
  ],
});

test.describe.configure({ timeout: 240_000 });

for (const format of ['wav', 'mp3'] as const) {
  test(`an <audio> plays a signed URL to its end (${format})`, async ({ speaking }) => {
    const url = await speaking.evaluate((request) => window.v1.speechUrl(request), {
      ...SPEECH,
      response_format: format,
    });
    const { seconds, position, fault } = await play(speaking, url);
    expect(fault).toBe(0);
    expect(seconds).toBeGreaterThan(1);
    expect(seconds).toBeLessThan(6);
    expect(position).toBeCloseTo(seconds, 1);
  });
}

test('a part of what was spoken is given as a part, from the same file', async ({ speaking }) => {
  const parts = await speaking.evaluate(
    async (request) => {
      const url = await window.v1.speechUrl(request);
      const whole = new Uint8Array(
        await (await fetch(url, { headers: { range: 'bytes=0-' } })).arrayBuffer(),
      );
      const response = await fetch(url, { headers: { range: 'bytes=1000-1999' } });
      const part = new Uint8Array(await response.arrayBuffer());
      return {
        status: response.status,
        range: response.headers.get('content-range'),
        isSame: part.length === 1000 && part.every((byte, index) => byte === whole[1000 + index]),
        length: whole.length,
      };
    },
    { ...SPEECH, input: 'Just one part of it.' },
  );
  expect(parts).toEqual({
    ...{ status: 206, isSame: true, length: parts.length },
    range: `bytes 1000-1999/${parts.length}`,
  });
});

test('another site gets nothing of it', async ({ speaking, speechSite }) => {
  const url = await speaking.evaluate((request) => window.v1.speechUrl(request), SPEECH);
  const other = await serveTestSite('/', []);
  try {
    const page = await speaking.context().newPage();
    // Another origin with no service worker of its own: what it asks for goes to the server.
    await page.goto(other.url.replace('127.0.0.1', 'localhost'));
    const before = speechSite.requests.length;
    const { fault } = await play(page, url);
    expect(fault).toBe(4);
    expect(
      speechSite.requests.slice(before).some((path) => path.startsWith('/v1/audio/speech')),
    ).toBe(true);
    const navigation = await page.goto(url);
    expect(navigation?.status()).toBe(403);
    await page.close();
  } finally {
    await other.close();
  }
});
