import * as v from 'valibot';
import type { RawBrowser } from './raw-browser.ts';
import { median } from './statistics.ts';

/** Milliseconds from a page's request to the first byte of its answer; medians of one launch. */
export interface ColdResult {
  /** With the service worker stopped. */
  coldMs: number;
  /** With the service worker running. */
  warmMs: number;
}

/** Times `GET /v1/models`, with the service worker stopped before every other request. */
export async function measureCold(
  browser: RawBrowser,
  origin: string,
  count: number,
): Promise<ColdResult> {
  const page = await browser.open(`${origin}/slashv1/v1.html`);
  const firstByte = async () => v.parse(v.number(), await page.evaluate('bench.timeFirstByte()'));
  await page.evaluate('bench.startEmpty()');
  const cold: number[] = [];
  const warm: number[] = [];
  while (cold.length < count) {
    await page.stopServiceWorkers();
    cold.push(await firstByte());
    warm.push(await firstByte());
  }
  await page.close();
  return { coldMs: median(cold), warmMs: median(warm) };
}
