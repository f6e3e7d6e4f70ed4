import { test as base } from 'playwright/test';
import type { OtherBrowser } from '../../../scripts/testing/other-browsers.ts';
import type {} from '../../browser/site/page.ts';
import { withHold, type Hold } from '../../browser/support/hold.ts';
import { TINY, withTestSite, type TestSite } from '../../browser/support/site.ts';
import type { StartOptions } from '../../../src/index.ts';
import type { DrivenBrowser, LaunchOptions, Tab } from './driver.ts';
import { launchFirefox } from './firefox.ts';
import { launchWebKit } from './webkit.ts';

export { expect } from 'playwright/test';

/** Opens a tab of a browser; the test's end closes it. */
export type NewTab = (url: string, browser?: DrivenBrowser) => Promise<Tab>;

interface TestFixtures {
  /** A new site, for which the browser has stored nothing. */
  site: TestSite;
  /** Control of the engines that pages of `site` start. */
  hold: Hold;
  newTab: NewTab;
  /** Starts another browser; the test's end closes it. */
  launch: (options: LaunchOptions) => Promise<DrivenBrowser>;
}

interface WorkerFixtures {
  /** The project's browser. All tests of a worker process share it. */
  driven: DrivenBrowser;
  /** A tab in which the API runs with tiny-chat loaded, and `window.client` is an OpenAI client. */
  ready: Tab;
}

function launch(name: string, options: LaunchOptions): Promise<DrivenBrowser> {
  switch (name as OtherBrowser) {
    case 'firefox':
      return launchFirefox(options);
    case 'webkit':
      return launchWebKit(options);
  }
}

const SITE_PACKS = [
  'tiny-chat',
  'test-piper',
  'tiny-embed',
  'tiny-embed-gguf',
  'tiny-rerank',
  'tiny-hear',
  'tiny-see',
];

export const test = base.extend<TestFixtures, WorkerFixtures>({
  driven: [
    async ({}, use, { project }) => {
      const browser = await launch(project.name, {});
      await use(browser);
      await browser.close();
    },
    { scope: 'worker' },
  ],
  ready: [
    ({ driven }, use) =>
      withTestSite(['tiny-chat'], async (site) => {
        const tab = await driven.newTab();
        await tab.goto(site.url);
        await begin(tab, { model: TINY });
        await use(tab);
      }),
    { scope: 'worker' },
  ],
  site: ({}, use) => withTestSite(SITE_PACKS, use),
  hold: ({ site }, use) => withHold(site, use),
  newTab: async ({ driven }, use) => {
    const tabs: Tab[] = [];
    await use(async (url, browser = driven) => {
      const tab = await browser.newTab();
      tabs.push(tab);
      await tab.goto(url);
      return tab;
    });
    // The test may have closed some.
    for (const tab of tabs) await tab.close().catch(() => undefined);
  },
  launch: async ({}, use, { project }) => {
    const browsers: DrivenBrowser[] = [];
    await use(async (options) => {
      const browser = await launch(project.name, options);
      browsers.push(browser);
      return browser;
    });
    for (const browser of browsers) await browser.close();
  },
});

/** Starts the API in an open test page, with the engine that the device chooses. */
export function begin(tab: Tab, options: StartOptions = {}) {
  // The page itself forces WebLLM, for the tests in Chromium.
  const engines: StartOptions['engines'] = ['webllm', 'llamacpp'];
  return tab.evaluate((given) => window.begin(given), { engines, ...options });
}
