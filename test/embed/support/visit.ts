import type { BrowserContext, Page } from 'playwright';
import { expect } from 'vitest';
import { onDemandCache } from '../../../src/core/site/engine-files.ts';
import { withUndebugged } from '../../browser/support/browser/undebugged.ts';
import { answer, untilNew } from './example.ts';
import type { Preview } from './preview.ts';

/** A built site, and what its makers do with it. */
export interface Site {
  /** Path of the home page, which is the folder of slashv1's files. */
  home: string;
  /** Path of the second page, relative to the home page. */
  deep: string;
  /** How many folders the page asks in vain for the files of slashv1, if it does not know theirs. Default: 0. */
  asked?: number;
  /** Starts a server. @param port - default: any */
  serve: (port?: string) => Promise<Preview>;
  /** Builds the site again, with a new word in its headings. Returns that word. */
  deploy: () => Promise<string>;
}

/** Visits a site as nobody has before: a deep route first, then without the server, then after a deploy. */
export async function visit(site: Site): Promise<void> {
  await withUndebugged((profile) => visitWith(profile, site));
}

async function visitWith(profile: BrowserContext, site: Site): Promise<void> {
  const { home, serve, deploy } = site;
  const { page, origin, port } = await visitOffline(profile, site);
  const word = await deploy();
  await serve(port);
  await untilNew(page, word);
  expect(await answer(page)).toContain('Rome');
  // The first page may have come from the server, past the service worker that still has the old build.
  await page.goto(origin + home);
  await untilNew(page, word);
  expect(await answer(page)).toContain('Paris');
}

/** Visits a deep route of a site first, and then without its server. */
export async function visitOffline(
  profile: BrowserContext,
  { home, deep, asked = 0, serve }: Omit<Site, 'deploy'>,
): Promise<{ page: Page; origin: string; port: string }> {
  const { origin, port, stop } = await serve();
  const { page, problems } = await newVisitor(profile);
  await page.goto(origin + home + deep);
  expect(await answer(page)).toContain('Rome');
  const controller = () => page.evaluate(() => navigator.serviceWorker.controller?.scriptURL);
  expect(await controller()).toBe(`${origin}${home}sw.js`);
  expect(problems).toEqual(Array(asked).fill(expect.stringContaining('404')));
  await untilKept(page, home);
  await stop();
  await page.reload();
  expect(await answer(page)).toContain('Rome');
  return { page, origin, port };
}

/** Waits until llama.cpp is stored for use offline. Files that the service worker missed come after the answer. */
async function untilKept(page: Page, home: string): Promise<void> {
  const kept = () =>
    page.evaluate(async (name) => {
      const cache = await caches.open(name);
      const files = await cache.keys();
      return files.map(({ url }) => new URL(url).pathname);
    }, onDemandCache(home));
  await expect
    .poll(kept, { timeout: 30_000 })
    // Isolated pages have threads.
    .toEqual(
      expect.arrayContaining([
        `${home}llamacpp.js`,
        expect.stringMatching(/\/llamacpp(?:-threads)?\.wasm$/),
      ]),
    );
}

/** A page, and the errors in it. */
async function newVisitor(profile: BrowserContext): Promise<{ page: Page; problems: string[] }> {
  const page = await profile.newPage();
  const problems: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(error.message));
  return { page, problems };
}
