import { defineConfig } from 'playwright/test';

/**
 * `npm run test:f16`. Its tests skip themselves without a GPU that computes in 16 bits, or Mesa's lavapipe in its place.
 * They run in Firefox. Chromium prefers its own SwiftShader, which has no `shader-f16`; the project `gpu` of the other browser
 * tests has a copy without that.
 */
export default defineConfig({
  testDir: '.',
  globalSetup: './global-setup.ts',
  outputDir: '../../test-results/f16',
  workers: 1,
  forbidOnly: Boolean(process.env['CI']),
  // A flaky test counts as failed.
  retries: 0,
  timeout: 120_000,
  // On a busy machine, a page that is right can take longer than Playwright's five seconds.
  expect: { timeout: 30_000 },
  reporter: [['list'], ['../../scripts/testing/playwright-reporter.ts', { suite: 'f16' }]],
});
