import { defineConfig } from 'playwright/test';

/** Runs tests in unmodified browsers that Playwright itself cannot drive: see `support/`. */
export default defineConfig({
  testDir: '.',
  globalSetup: './support/global-setup.ts',
  outputDir: '../../test-results/browsers',
  // One for each browser.
  workers: 2,
  fullyParallel: false,
  forbidOnly: Boolean(process.env['CI']),
  // A flaky test counts as failed.
  retries: 0,
  timeout: 120_000,
  // On a busy machine, a page that is right can take longer than Playwright's five seconds.
  expect: { timeout: 30_000 },
  reporter: [['list'], ['../../scripts/testing/playwright-reporter.ts', { suite: 'browsers' }]],
  projects: [{ name: 'firefox' }, { name: 'webkit' }],
});
