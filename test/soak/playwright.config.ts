import { defineConfig } from 'playwright/test';

/** `npm run soak`: apart from the other suites, as it takes half an hour. */
export default defineConfig({
  testDir: '.',
  globalSetup: '../browser/support/global-setup.ts',
  outputDir: '../../test-results/soak',
  workers: 1,
  // It ends by itself.
  timeout: 0,
  reporter: [['list']],
});
