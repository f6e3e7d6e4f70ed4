import { defineConfig } from 'vitest/config';
import { VitestReporter } from './scripts/vitest-reporter.ts';

const PACKED = ['test/package/support/pack-once.ts'];
const INSTALLED = ['test/embed/support/install-examples.ts'];

interface SuiteOptions {
  globalSetup?: string[];
  /** Whether each file has modules of its own. */
  isolate?: boolean;
}

/**
 * A suite that runs in Node: `unit` mirrors the sources, `contract` calls the API app with plain Requests, `built`
 * computes with the products of llama.cpp that are built here, `scripts` tests the repository's own commands, `serve`
 * runs the command line with a real browser behind it, `package` installs the packed package as users do, `docs` builds
 * the documentation's site and visits it, `templates` renders real models' chat templates, `schemas` holds grammars to
 * their schemas (the JSON Schema Test Suite, our own cases, random schemas), `embed` builds the examples with packages
 * from the registry, `gpu` computes what takes long on a GPU in software.
 */
function suite(name: string, { globalSetup = [], isolate = true }: SuiteOptions = {}) {
  return {
    test: {
      name,
      environment: 'node',
      globalSetup,
      isolate,
      include: [`test/${name}/**/*.test.ts`],
      // A test that is right may take long on a busy machine.
      testTimeout: 60_000,
      hookTimeout: 60_000,
      setupFiles: ['test/support/patient-waits.ts'],
      expect: { poll: { timeout: 50_000 } },
      // Modules of phonemize import JSON in a way that only bundlers support.
      server: { deps: { inline: ['phonemize'] } },
    },
  };
}

export default defineConfig({
  test: {
    reporters: ['default', new VitestReporter()],
    // By default, one core is left for Vitest itself, which is half of a small machine.
    maxWorkers: '100%',
    projects: [
      suite('unit'),
      // Test files share modules: loading the clients again for each file takes longer than the tests.
      suite('contract', { isolate: false }),
      suite('built'),
      suite('scripts'),
      suite('serve'),
      suite('package', { globalSetup: PACKED }),
      suite('templates', { globalSetup: ['test/templates/support/fetch-templates.ts'] }),
      suite('schemas', { globalSetup: ['test/schemas/support/fetch-suite.ts'] }),
      suite('docs'),
      suite('gpu'),
      suite('embed', { globalSetup: INSTALLED }),
    ],
  },
});
