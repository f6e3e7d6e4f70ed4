import { expect } from '../support/fixtures.ts';
import { play } from '../support/media/play.ts';
import { serveTestSite } from '../support/site.ts';
import { joe, test } from '../support/media/speaking.ts';

const SPEECH = joe('Hello there. How are you today?');

test.describe.configure({ timeout: 240_000 });

for (const format of ['wav', 'mp3'] as const) {
  test(`an <audio> plays a signed URL to its end (${format})`, async ({ speaking: { page } }) => {
    const url = await page.evaluate((request) => window.v1.speechUrl(request), {
      ...SPEECH,
      response_format: format,
    });
    const { seconds, position, fault } = await play(page, url);
    expect(fault).toBe(0);
    expect(seconds).toBeGreaterThan(1);
    expect(seconds).toBeLessThan(6);
    expect(position).toBeCloseTo(seconds, 1);
  });
}

test('a range request gets its part of the same file', async ({ speaking: { page } }) => {
  const parts = await page.evaluate(
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
    status: 206,
    isSame: true,
    length: parts.length,
    range: `bytes 1000-1999/${parts.length}`,
  });
});

test('another site cannot play a signed URL', async ({ speaking, speechSite, closing }) => {
  const url = await speaking.page.evaluate((request) => window.v1.speechUrl(request), SPEECH);
  const other = closing(await serveTestSite('/', []));
  const page = await speaking.page.context().newPage();
  // This origin has no service worker, so its requests reach the server.
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
});
