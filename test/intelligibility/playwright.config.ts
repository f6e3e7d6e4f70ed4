import { defineConfig } from 'playwright/test';

/** `npm run test:speech`: apart from the other suites, as it takes minutes and a speech recogniser. */
export default defineConfig({
  testDir: '.',
  globalSetup: '../browser/support/global-setup.ts',
  outputDir: '../../test-results/intelligibility',
  workers: 1,
  timeout: 1_800_000,
  reporter: [['list']],
});
