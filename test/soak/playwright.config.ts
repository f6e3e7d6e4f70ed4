import { defineConfig } from 'playwright/test';

/** `npm run soak`; it is not part of `npm test`, since it takes half an hour. */
export default defineConfig({
  testDir: '.',
  globalSetup: '../browser/support/global-setup.ts',
  outputDir: '../../test-results/soak',
  workers: 1,
  // The test itself limits its time.
  timeout: 0,
  reporter: [['list']],
});
