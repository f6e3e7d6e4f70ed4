import { defineConfig } from 'vitest/config';

/**
 * All run in Node: `unit` mirrors the sources, `contract` calls the API app with plain Requests, `serve`
 * runs the command line with a real browser behind it.
 */
function suite(name: string) {
  return {
    test: {
      name,
      environment: 'node',
      include: [`test/${name}/**/*.test.ts`],
      // Its modules import JSON as only bundlers do.
      server: { deps: { inline: ['phonemize'] } },
    },
  };
}

export default defineConfig({
  test: { projects: [suite('unit'), suite('contract'), suite('serve')] },
});
