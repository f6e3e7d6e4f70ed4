import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, test as base, type BrowserContext, type Page } from 'playwright/test';
import { findChromium, webgpuFlags } from '../../../src/node/browser.ts';
import type {} from '../site/page.ts';
import { serveTestSite, TINY, type TestSite } from './site.ts';
import { withUndebugged } from './undebugged.ts';

export { expect } from 'playwright/test';
export { SMOLLM2, TINY, type TestSite } from './site.ts';

interface TestFixtures {
  /** A profile without a past, for this test alone. */
  fresh: BrowserContext;
  /** One in a browser whose service workers and requests nobody watches, as a visitor's. */
  undebugged: BrowserContext;
}

interface WorkerFixtures {
  site: TestSite;
  /** A profile that keeps service workers and IndexedDB, as a visitor's browser does. */
  profile: BrowserContext;
  /** A page in which the API runs with tiny-chat loaded, and `window.client` is an OpenAI client. */
  ready: Page;
}

/** A browser with a profile of its own; its WebGPU adapter runs on the CPU. */
export async function launchProfile(folder: string): Promise<BrowserContext> {
  return chromium.launchPersistentContext(folder, {
    executablePath: findChromium(),
    headless: true,
    args: ['--headless=new', ...webgpuFlags('software')],
  });
}

export async function withProfile<T>(use: (context: BrowserContext) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'slashv1-profile-'));
  const context = await launchProfile(folder);
  try {
    return await use(context);
  } finally {
    await context.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  site: [
    async ({}, use) => {
      const site = await serveTestSite();
      await use(site);
      await site.close();
    },
    { scope: 'worker' },
  ],
  profile: [({}, use) => withProfile(use), { scope: 'worker' }],
  ready: [
    async ({ profile, site }, use) => {
      const page = await openPage(profile, site.url);
      await page.evaluate((model) => window.begin({ model }), TINY);
      await use(page);
    },
    { scope: 'worker' },
  ],
  fresh: ({}, use) => withProfile(use),
  undebugged: ({}, use) => withUndebugged(use),
});

/** Opens the test page and lets what it logs as an error fail loudly in the test's output. */
export async function openPage(profile: BrowserContext, url: string): Promise<Page> {
  const page = await profile.newPage();
  page.on('pageerror', (error) => process.stderr.write(`page: ${error.message}\n`));
  await page.goto(url);
  await page.waitForFunction(() => 'begin' in window);
  return page;
}

/** Reloads the test page; the API does not run in it until it begins again. */
export async function reloadPage(page: Page): Promise<void> {
  await page.reload();
  await page.waitForFunction(() => 'begin' in window);
}
