import { launch, type Page } from 'puppeteer-core';
import { findFirefox } from '../../../scripts/testing/other-browsers.ts';
import { tabOf, type DrivenBrowser, type LaunchOptions, type Tab } from './driver.ts';

/** How long a page's function may take, milliseconds: longer than any test. */
const EVALUATION_MS = 600_000;

/** Starts Firefox; puppeteer drives it by WebDriver BiDi. */
export async function launchFirefox(options: LaunchOptions): Promise<DrivenBrowser> {
  const browser = await launch({
    browser: 'firefox',
    executablePath: findFirefox(),
    headless: true,
    protocolTimeout: EVALUATION_MS,
    extraPrefsFirefox: preferences(options),
  });
  return {
    version: await browser.version(),
    newTab: async () => firefoxTab(await browser.newPage()),
    // Firefox stops them by itself.
    stopServiceWorkers: async () => undefined,
    close: () => browser.close(),
  };
}

function preferences({ isPrivate = false, serviceWorkerIdleMs = 30_000, webgpu }: LaunchOptions) {
  return {
    'browser.privatebrowsing.autostart': isPrivate,
    'dom.serviceWorkers.idle_timeout': serviceWorkerIdleMs,
    ...(webgpu && { 'dom.webgpu.enabled': true, 'gfx.webgpu.ignore-blocklist': true }),
  };
}

function firefoxTab(page: Page): Tab {
  page.on('pageerror', (error) => process.stderr.write(`page: ${String(error)}\n`));
  return tabOf({
    goto: (url) => page.goto(url),
    reload: () => page.reload(),
    evaluate: (expression) => page.evaluate(expression),
    close: () => page.close(),
  });
}
