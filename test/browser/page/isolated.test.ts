import type { Page } from 'playwright/test';
import { say } from '../support/chat.ts';
import { begin, expect, openPage, test } from '../support/fixtures.ts';
import { unload } from '../support/models.ts';
import { play } from '../support/media/play.ts';
import { GREETING } from '../support/prompts.ts';
import { joe, speak } from '../support/media/speaking.ts';
import { isolate, PIPER, replaceFile, serveTestSite } from '../support/site.ts';
import { workersOf } from '../support/browser/tabs.ts';

function threads(page: Page): number {
  return workersOf(page, 'onnx-thread.js').length;
}

test('a cross-origin isolated page is answered, and several threads compute its speech', async ({
  fresh,
  closing,
}) => {
  test.setTimeout(240_000);
  const site = closing(await serveTestSite('/', ['tiny-chat', 'test-piper']));
  site.intercept = isolate;
  const page = await openPage(fresh, site.url);
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  await begin(page, { speechThreads: 3 });
  expect(await say(page, 'Hello!')).toBe(GREETING);

  const spoken = await speak(page, joe('Hello there.', { response_format: 'wav' }));
  expect(spoken.loudness).toBeGreaterThan(0.01);
  // The speech worker itself is the third thread.
  expect(threads(page)).toBe(2);
  const url = await page.evaluate((request) => window.v1.speechUrl(request), joe('Hello there.'));
  expect(await play(page, url)).toMatchObject({ fault: 0 });

  await unload(page, PIPER);
  await expect.poll(() => threads(page)).toBe(0);
  const noThreads = replaceFile('/onnx-thread.js');
  site.intercept = (...exchange) => isolate(...exchange) || noThreads(...exchange);
  const again = await speak(page, joe('Hello there.', { response_format: 'wav' }));
  expect(again.loudness).toBeGreaterThan(0.01);
  expect(threads(page)).toBe(0);
});
