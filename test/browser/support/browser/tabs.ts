import type { BrowserContext, Page, Worker } from 'playwright/test';
import type { StartOptions } from '../../../../src/index.ts';
import { openStarted, TINY, type TestSite } from '../fixtures.ts';

type Tabs<N extends number> = N extends 1
  ? [Page]
  : N extends 3
    ? [Page, Page, Page]
    : [Page, Page, ...Page[]];

/**
 * Opens tabs in which the API runs. The first one hosts the engine with tiny-chat loaded; when it
 * closes, the second one takes over.
 */
export async function openTabs<N extends number>(
  profile: BrowserContext,
  site: TestSite,
  count: N,
  options: StartOptions = {},
): Promise<Tabs<N>> {
  const tabs = [await openStarted(profile, site.url, { ...options, model: TINY })];
  while (tabs.length < count) tabs.push(await openStarted(profile, site.url, options));
  return tabs as Tabs<N>;
}

/** The workers of a page that run this script, e.g. `engine.js`. */
export function workersOf(page: Page, script: string): Worker[] {
  return page.workers().filter((worker) => worker.url().endsWith(`/${script}`));
}

/** The worker in which the engine runs. */
export function engineOf(page: Page): Worker {
  const [worker] = workersOf(page, 'engine.js');
  if (!worker) throw new Error('The page has no engine.');
  return worker;
}

/** The worker of the only model that llama.cpp has in memory. */
export function llamaOf(page: Page): Worker {
  const [worker, ...others] = workersOf(page, 'llamacpp.js');
  if (!worker || others.length > 0) throw new Error('The page has not one worker of llama.cpp.');
  return worker;
}
