import { defineConfig } from 'playwright/test';
import { findChromium, webgpuFlags } from './src/node/browser.ts';

export default defineConfig({
  testDir: 'test/browser',
  globalSetup: './test/browser/support/global-setup.ts',
  outputDir: 'test-results/browser',
  // Compiling for a GPU in software takes both cores of a small machine; much else waits for something.
  workers: 2,
  fullyParallel: false,
  forbidOnly: Boolean(process.env['CI']),
  // A flaky test is a failing one.
  retries: 0,
  timeout: 120_000,
  reporter: [['list'], ['json', { outputFile: 'test-results/browser.json' }]],
  use: {
    browserName: 'chromium',
    launchOptions: { executablePath: findChromium(), args: webgpuFlags('software') },
  },
});
