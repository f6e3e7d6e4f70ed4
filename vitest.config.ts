import { readdirSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { VitestReporter } from './scripts/testing/vitest-reporter.ts';

const PACKED = ['test/package/support/pack-once.ts'];
const INSTALLED = ['test/embed/support/install-examples.ts'];

/**
 * Unit tests that replace modules, which another file may have loaded, or that give a library a decoder for good: these
 * have modules of their own.
 */
const REPLACES_MODULES = /vi\.(?:mock|hoisted)\(|registerDecoder\(/;
const replacing = readdirSync('test/unit', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.test.ts'))
  .map((path) => `test/unit/${path}`)
  .filter((path) => REPLACES_MODULES.test(readFileSync(path, 'utf8')));

interface SuiteOptions {
  globalSetup?: string[];
  setupFiles?: string[];
  /** Whether each file has modules of its own. */
  isolate?: boolean;
  include?: string[];
  exclude?: string[];
}

/**
 * A suite that runs in Node: `unit` mirrors the sources (`unit-modules` has those of its tests that replace
 * modules), `contract` calls the API app with plain Requests, `built` computes with the products of llama.cpp that
 * are built here, `scripts` tests the repository's own commands, `serve` runs the command line with a real browser
 * behind it, `package` installs the packed package as users do, `docs` builds the documentation's site and visits
 * it, `templates` renders real models' chat templates, `schemas` holds grammars to their schemas (the JSON Schema
 * Test Suite, our own cases, random schemas), `embed` builds the examples with packages from the registry, `gpu`
 * computes what takes long on a GPU in software, `clients` asks the command line's API with clients from PyPI.
 */
function suite(name: string, options: SuiteOptions = {}) {
  const { isolate = true, include = [`test/${name}/**/*.test.ts`], setupFiles = [] } = options;
  return {
    test: {
      name,
      environment: 'node',
      globalSetup: options.globalSetup ?? [],
      isolate,
      include,
      exclude: options.exclude ?? [],
      // A test that is right may take long on a busy machine.
      testTimeout: 60_000,
      hookTimeout: 60_000,
      setupFiles: ['test/support/patient-waits.ts', ...setupFiles],
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
      // In these suites, files share modules: loading them again for each file takes longer than the tests.
      suite('unit', {
        isolate: false,
        setupFiles: ['test/unit/support/clean-globals.ts'],
        exclude: replacing,
      }),
      suite('contract', { isolate: false }),
      suite('unit-modules', { include: replacing }),
      suite('built'),
      suite('scripts'),
      suite('serve'),
      suite('package', { globalSetup: PACKED }),
      suite('templates', { globalSetup: ['test/templates/support/fetch-templates.ts'] }),
      suite('schemas', { globalSetup: ['test/schemas/support/fetch-suite.ts'] }),
      suite('docs'),
      suite('gpu'),
      suite('clients', { globalSetup: ['test/clients/install-clients.ts'] }),
      suite('embed', { globalSetup: INSTALLED }),
    ],
  },
});
