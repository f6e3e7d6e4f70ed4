import { defineConfig } from 'playwright/test';

/** `npm run test:speech`: apart from the other suites, as it takes minutes and a speech recogniser. */
export default defineConfig({
  testDir: '.',
  globalSetup: '../browser/support/global-setup.ts',
  outputDir: '../../test-results/intelligibility',
  workers: 1,
  // Kokoro speaks 4,096 characters for five minutes, and takes twice as long on a core that it has to itself.
  timeout: 3_600_000,
  reporter: [['list']],
});
