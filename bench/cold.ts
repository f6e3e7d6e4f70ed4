import * as v from 'valibot';
import type { RawBrowser } from './raw-browser.ts';
import { median, spread, type Spread } from './statistics.ts';

export interface ColdResult {
  /** From a page's request to the first byte of its answer, service worker stopped, milliseconds. */
  coldMs: Spread;
  /** The same with a service worker that is awake. */
  warmMs: number;
}

/** `GET /v1/models` of a page in which the API runs; its service worker is stopped each time. */
export async function measureCold(
  browser: RawBrowser,
  origin: string,
  count: number,
): Promise<ColdResult> {
  const page = await browser.open(`${origin}/slashv1/v1.html`, '"bench" in window');
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
  return { coldMs: spread(cold), warmMs: median(warm) };
}
