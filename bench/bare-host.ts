import { call } from './browser.ts';
import type { RawBrowser, RawPage } from './raw-browser.ts';

/** URL of the bench's page on another host name of this machine, which is another origin. */
export function pageOn(origin: string, host: string): string {
  return `${origin.replace('127.0.0.1', host)}/slashv1/v1.html`;
}

/** A page with a minimal service worker. The time that it adds to a request is the browser's own overhead. */
export async function onBareHost(browser: RawBrowser, origin: string): Promise<RawPage> {
  const url = pageOn(origin, 'bare.localhost');
  const before = await browser.open(url);
  await before.evaluate(call('bench.startBare'));
  return browser.open(url);
}
