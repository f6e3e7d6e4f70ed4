import { defineConfig } from 'playwright/test';

/** `npm run test:speech`. It is not among the other suites because it takes minutes and a recogniser. */
export default defineConfig({
  testDir: '.',
  globalSetup: '../browser/support/global-setup.ts',
  outputDir: '../../test-results/intelligibility',
  workers: 1,
  // 4,096 characters are five minutes of Kokoro's speech, which take ten minutes of a free core.
  timeout: 3_600_000,
  reporter: [['list']],
});
