import { call } from './browser.ts';
import type { RawBrowser, RawPage } from './raw-browser.ts';

/** The page of the bench on another host of this machine, which is another origin. */
export function pageOn(origin: string, host: string): string {
  return `${origin.replace('127.0.0.1', host)}/slashv1/v1.html`;
}

/** A page whose service worker does as little as one can: what it adds to a request is the browser's part. */
export async function onBareHost(browser: RawBrowser, origin: string): Promise<RawPage> {
  const url = pageOn(origin, 'bare.localhost');
  const before = await browser.open(url);
  await before.evaluate(call('bench.startBare'));
  return browser.open(url);
}
