import { defineConfig } from 'vitest/config';

/** Both run in Node: `unit` mirrors the sources, `contract` calls the API app with plain Requests. */
function suite(name: string) {
  return { test: { name, environment: 'node', include: [`test/${name}/**/*.test.ts`] } };
}

export default defineConfig({
  test: { projects: [suite('unit'), suite('contract')] },
});
