import { defineConfig } from 'vitest/config';
import { VitestReporter } from '../../../scripts/testing/vitest-reporter.ts';

export default defineConfig({
  test: {
    name: 'sample-vitest',
    root: import.meta.dirname,
    include: ['*.vitest.ts'],
    reporters: [new VitestReporter()],
  },
});
