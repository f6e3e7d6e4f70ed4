import { defineConfig } from 'vitest/config';
import { VitestReporter } from './scripts/vitest-reporter.ts';

/**
 * All run in Node: `unit` mirrors the sources, `contract` calls the API app with plain Requests, `serve`
 * runs the command line with a real browser behind it, `package` installs the packed package as users do, `docs`
 * builds the documentation's site and visits it, `embed` builds the examples with packages from the registry.
 */
function suite(name: string, globalSetup: string[] = []) {
  return {
    test: {
      name,
      environment: 'node',
      globalSetup,
      include: [`test/${name}/**/*.test.ts`],
      // Its modules import JSON as only bundlers do.
      server: { deps: { inline: ['phonemize'] } },
    },
  };
}

export default defineConfig({
  test: {
    reporters: ['default', new VitestReporter()],
    projects: [
      ...[suite('unit'), suite('contract'), suite('serve')],
      suite('package', ['test/package/support/pack-once.ts']),
      suite('docs'),
      suite('embed', ['test/package/support/pack-once.ts']),
    ],
  },
});
