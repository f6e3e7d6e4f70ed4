import { defineConfig } from 'playwright/test';
import { findChromium, webgpuFlags } from '../../src/node/browser.ts';

/** `npm run test:upstream`. It is not among the other suites because it installs engines of gigabytes. */
export default defineConfig({
  testDir: '.',
  globalSetup: '../browser/support/global-setup.ts',
  outputDir: '../../test-results/engines',
  workers: 1,
  forbidOnly: Boolean(process.env['CI']),
  // An engine takes minutes to start on a busy machine.
  timeout: 600_000,
  expect: { timeout: 60_000 },
  reporter: [['list'], ['../../scripts/testing/playwright-reporter.ts', { suite: 'engines' }]],
  use: {
    browserName: 'chromium',
    launchOptions: { executablePath: findChromium(), args: webgpuFlags('software') },
  },
});
