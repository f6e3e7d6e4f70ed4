import { chromium, expect, test as base, type BrowserContext, type Page } from 'playwright/test';
import type { StartOptions } from '../../../src/index.ts';
import { findChromium, webgpuFlags } from '../../../src/node/browser.ts';
import { messageOf } from '../../../src/core/text/message-of.ts';
import { chromiumOnLavapipe } from '../../support/software-gpu/chromium-on-lavapipe.ts';
import type {} from '../site/page.ts';
import type { Graphics } from './browser/chromium.ts';
import type { EngineOption } from './engine-option.ts';
import { withHold, type Hold } from './hold.ts';
import { TINY, withTestSite, type TestSite } from './site.ts';
import { withTempFolder } from './storage/temp-folder.ts';
import { withUndebugged } from './browser/undebugged.ts';

export { expect } from 'playwright/test';
export { SMOLLM2, TINY, type TestSite } from './site.ts';

/** Closes a server when the test ends. */
type Closing = <T extends { close(): Promise<unknown> }>(server: T) => T;

interface TestFixtures {
  /** A new profile for one test. */
  fresh: BrowserContext;
  /** A new profile for one test, in a browser that has no GPU. */
  withoutGpu: BrowserContext;
  /** A new profile for one test, and its folder: a test may close the browser and read the files. */
  kept: { context: BrowserContext; folder: string };
  /** A new profile in a browser that treats service workers and requests as a visitor's does. */
  undebugged: BrowserContext;
  closing: Closing;
  /** Control of the engines that pages of `site` start during the test. */
  hold: Hold;
  /** Skips a test of the project `gpu` if there is no GPU. The test fails if the CPU has computed. */
  onlyGpu: undefined;
}

interface WorkerFixtures extends EngineOption {
  /** Makes the options known to `withProfile`. */
  knownToPages: undefined;
  site: TestSite;
  /** A profile that keeps service workers and IndexedDB, as a visitor's browser does. */
  profile: BrowserContext;
  /** A page in which the API runs with tiny-chat loaded, and `window.client` is an OpenAI client. */
  ready: Page;
}

/** The request by which a model's worker tells the site that it has opened a build of llama.cpp for the CPU. */
const ON_CPU = '/opened-for-the-cpu';
const TELL_OF_CPU = `{
  const { fetch } = self;
  self.fetch = (...given) => {
    if (/llamacpp(-threads)?[.]wasm/.test(given[0].url ?? given[0])) void fetch('${ON_CPU}');
    return fetch(...given);
  };
}\n`;

/** @returns why there is no GPU */
function missingGpu(): string | undefined {
  try {
    chromiumOnLavapipe();
    return undefined;
  } catch (error) {
    return `Skipped, nothing was tested on a GPU: ${messageOf(error)}`;
  }
}

/** Waits until pages find the GPU: the first adapter comes only seconds after the browser has started. */
async function untilGpu(context: BrowserContext): Promise<void> {
  const page = await context.newPage();
  // Only secure pages have WebGPU.
  await page.route('https://page.test/', (route) => route.fulfill({ body: '' }));
  await page.goto('https://page.test/');
  const hasGpu = async () => {
    const adapter = await navigator.gpu.requestAdapter();
    return adapter?.features.has('shader-f16') ?? false;
  };
  await expect.poll(() => page.evaluate(hasGpu)).toBe(true);
  await page.close();
}

/** Makes the options of the tests known to the pages of a profile. */
async function tellPages(context: BrowserContext): Promise<void> {
  await context.addInitScript((options) => (window.ofTests = options), inPages);
}

/** Switches of a browser that has no GPU. */
export const WITHOUT_GPU = webgpuFlags('software').filter((flag) => flag === '--no-sandbox');

/** What `start` in the test page uses unless a test says otherwise. */
let inPages: EngineOption = { engine: 'webllm', outlive: false, onGpu: false };

function graphics(): Graphics {
  return inPages.onGpu ? chromiumOnLavapipe() : { flags: webgpuFlags('software') };
}

/**
 * Runs with a new profile.
 *
 * @param given - switches of the browser; default: its WebGPU adapter runs on the CPU
 * @param locale - BCP 47 tag of the user's language
 */
export function withProfile<T>(
  use: (context: BrowserContext, folder: string) => Promise<T>,
  given?: string[],
  locale = 'en-US',
): Promise<T> {
  return withTempFolder('profile', async (folder) => {
    const { path = findChromium(), env, flags } = given ? { flags: given } : graphics();
    const context = await chromium.launchPersistentContext(folder, {
      executablePath: path,
      headless: true,
      locale,
      args: ['--headless=new', ...flags],
      ...(env && { env: { ...process.env, ...env } }),
    });
    try {
      await tellPages(context);
      if (inPages.onGpu && !given) await untilGpu(context);
      return await use(context, folder);
    } finally {
      await context.close();
    }
  });
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  engine: ['webllm', { option: true, scope: 'worker' }],
  outlive: [false, { option: true, scope: 'worker' }],
  onGpu: [false, { option: true, scope: 'worker' }],
  knownToPages: [
    async ({ engine, outlive, onGpu }, use) => {
      inPages = { engine, outlive, onGpu };
      await use(undefined);
    },
    { scope: 'worker', auto: true },
  ],
  site: [
    ({ onGpu }, use) =>
      withTestSite(undefined, (site) => {
        if (onGpu) site.builds['llamacpp.js'] = TELL_OF_CPU;
        return use(site);
      }),
    { scope: 'worker' },
  ],
  profile: [({}, use) => withProfile(use), { scope: 'worker' }],
  ready: [
    async ({ profile, site }, use) => {
      await use(await openStarted(profile, site.url, { model: TINY }));
    },
    { scope: 'worker' },
  ],
  fresh: ({}, use) => withProfile(use),
  withoutGpu: ({}, use) => withProfile(use, WITHOUT_GPU),
  kept: ({}, use) => withProfile((context, folder) => use({ context, folder })),
  undebugged: ({}, use) =>
    withUndebugged(async (context) => {
      await tellPages(context);
      await use(context);
    }),
  onlyGpu: [
    async ({ onGpu, site }, use, testInfo) => {
      const missing = onGpu ? missingGpu() : undefined;
      testInfo.skip(missing !== undefined, missing);
      await use(undefined);
      if (onGpu) expect(site.requests).not.toContain(ON_CPU);
    },
    { auto: true },
  ],
  hold: ({ site }, use) => withHold(site, use),
  closing: async ({}, use) => {
    const servers: { close(): Promise<unknown> }[] = [];
    await use((server) => {
      servers.push(server);
      return server;
    });
    for (const server of servers) await server.close();
  },
});

/** Opens the test page; an error that nothing in it catches is shown in the test's output. */
export async function openPage(profile: BrowserContext, url: string): Promise<Page> {
  const page = await profile.newPage();
  page.on('pageerror', (error) => process.stderr.write(`page: ${error.message}\n`));
  await page.goto(url);
  await page.waitForFunction(() => 'begin' in window);
  return page;
}

/** Starts the API in an open test page. */
export function begin(page: Page, options: StartOptions = {}) {
  return page.evaluate((given) => window.begin(given), options);
}

/** Opens the test page and starts the API in it. */
export async function openStarted(
  profile: BrowserContext,
  url: string,
  options: StartOptions = {},
): Promise<Page> {
  const page = await openPage(profile, url);
  await begin(page, options);
  return page;
}

/** Reloads the test page; the API does not run in it until it begins again. */
export async function reloadPage(page: Page): Promise<void> {
  await page.reload();
  await page.waitForFunction(() => 'begin' in window);
}

/** Reloads the test page and starts the API in it again. */
export async function restart(page: Page, options: StartOptions = {}): Promise<void> {
  await reloadPage(page);
  await begin(page, options);
}
