import { defineConfig } from 'playwright/test';

export default defineConfig({
  testMatch: '*.playwright.ts',
  outputDir: '../../../test-results/sample-playwright',
  reporter: [['../../../scripts/testing/playwright-reporter.ts', { suite: 'sample-playwright' }]],
  projects: [{ name: 'firefox' }],
});
