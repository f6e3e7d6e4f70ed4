import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Page } from 'playwright/test';
import { expect, openPage, test, TINY } from './support/fixtures.ts';
import { play } from './support/play.ts';
import { joe, speak } from './support/speaking.ts';
import { PIPER, serveTestSite } from './support/site.ts';

/** As sites set them that share memory between threads: on every file. */
function isolate(_request: IncomingMessage, response: ServerResponse): boolean {
  response.setHeader('cross-origin-opener-policy', 'same-origin');
  response.setHeader('cross-origin-embedder-policy', 'require-corp');
  return false;
}

const threads = (page: Page) =>
  page.workers().filter((worker) => worker.url().endsWith('/speech-thread.js')).length;

test('a cross-origin isolated page is answered, and several threads compute its speech', async ({
  fresh,
}) => {
  test.setTimeout(240_000);
  const site = await serveTestSite('/', ['tiny-chat', 'test-piper']);
  site.intercept = isolate;
  const page = await openPage(fresh, site.url);
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  await page.evaluate(() => window.begin({ speechThreads: 3 }));

  const answer = await page.evaluate(
    (model) =>
      window.client.chat.completions.create({
        ...{ model, temperature: 0, messages: [{ role: 'user', content: 'Hello!' }] },
      }),
    TINY,
  );
  expect(answer.choices[0]?.message.content).toBe('Hello! How can I help you?');

  const spoken = await speak(page, joe('Hello there.', { response_format: 'wav' }));
  expect(spoken.loudness).toBeGreaterThan(0.01);
  // The speech worker itself is the third.
  expect(threads(page)).toBe(2);
  const url = await page.evaluate((request) => window.v1.speechUrl(request), joe('Hello there.'));
  expect(await play(page, url)).toMatchObject({ fault: 0 });

  await page.evaluate((model) => window.v1.models.unload(model), PIPER);
  await expect.poll(() => threads(page)).toBe(0);
  site.intercept = (request, response) => {
    if (request.url !== '/speech-thread.js') return isolate(request, response);
    response.writeHead(404).end();
    return true;
  };
  const again = await speak(page, joe('Hello there.', { response_format: 'wav' }));
  expect(again.loudness).toBeGreaterThan(0.01);
  expect(threads(page)).toBe(0);
  await site.close();
});
