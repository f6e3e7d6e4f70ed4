/**
 * `npm test`, `npm run test:rest`, `test:long` and `test:all`: makes everything that the tests need and runs the suites
 * of the parts `main`, `rest`, `long` or all. `main` has what `main.txt` in `test/browser`, `test/browsers` and `test/f16`
 * names, and the suites `unit`, `unit-modules` and `contract`; `long` has what `long.txt` beside it names, and the suites
 * `gpu` and `clients`; `rest` has everything else. The last line has the sums, e.g. `123 passed, 0 failed, 4 skipped`;
 * before it are the names of failed and skipped tests. If Firefox or WebKitGTK can't be installed, their tests are skipped; in CI, that is a failure.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureChromium, ensureOther } from './testing/ensure-browsers.ts';
import { installUpstream } from './testing/install-upstream.ts';
import { OTHER_BROWSERS, type OtherBrowser } from './testing/other-browsers.ts';
import { runCommand } from './run-command.ts';
import {
  addEnds,
  closing,
  oneFailure,
  oneSkip,
  RESULTS,
  suiteEnd,
  type SuiteEnd,
} from './testing/test-report.ts';
import { messageOf } from '../src/core/text/message-of.ts';

const PARTS = ['main', 'rest', 'long'] as const;
type Part = (typeof PARTS)[number];

/** Upstream engines whose installation is small enough: Ray's wheels have 134 MB. llama.cpp is compiled, vLLM takes gigabytes. */
const SMALL_ENGINES = ['ray'];

/** Without the site, every test with a browser would fail for the same reason. */
async function build(): Promise<void> {
  await ensureChromium();
  const { code } = await runCommand('node', ['scripts/build.ts', 'library', 'site']);
  if (code !== 0) throw new Error(`The build ended with ${code}.`);
}

async function runVitest(name: string): Promise<SuiteEnd> {
  const { code } = await runCommand('vitest', ['run', '--project', name]);
  return suiteEnd(name, code);
}

async function runPlaywright(name: string, ...options: string[]): Promise<SuiteEnd> {
  const { code } = await runCommand('playwright', ['test', ...options]);
  return suiteEnd(name, code);
}

/** Options of Playwright that select a part of a suite with tests of several parts. */
function partOf(part: Part, suite: string): string[] {
  const [quick, long] = [`test/${suite}/main.txt`, `test/${suite}/long.txt`];
  if (part === 'main') return [`--test-list=${quick}`];
  // Some tests of the files that it names are of the main part.
  if (part === 'long') return [`--test-list=${long}`, `--test-list-invert=${quick}`];
  const others = join(RESULTS, `${suite}-others.txt`);
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(others, [quick, long].map((path) => readFileSync(path, 'utf8')).join('\n'));
  return [`--test-list-invert=${others}`];
}

async function runOtherBrowsers(part: Part): Promise<SuiteEnd> {
  const found: OtherBrowser[] = [];
  const missing: SuiteEnd[] = [];
  for (const name of OTHER_BROWSERS) {
    try {
      await ensureOther(name);
      found.push(name);
    } catch (error) {
      const reason = messageOf(error);
      missing.push(process.env['CI'] ? oneFailure(name, error) : oneSkip(name, reason));
    }
  }
  if (found.length === 0) return addEnds(missing);
  const projects = found.map((name) => `--project=${name}`);
  const options = ['--config', 'test/browsers', ...partOf(part, 'browsers'), ...projects];
  return addEnds([...missing, await runPlaywright('browsers', ...options)]);
}

/** Tests on a GPU that computes in 16 bits, in Firefox. Without such a GPU, they are skipped. */
async function runOnGpu(part: Part): Promise<SuiteEnd> {
  try {
    await ensureOther('firefox');
  } catch (error) {
    const reason = messageOf(error);
    return process.env['CI'] ? oneFailure('f16', error) : oneSkip('f16', reason);
  }
  return runPlaywright('f16', '--config', 'test/f16', ...partOf(part, 'f16'));
}

/** Installs and tests one engine, like `npm run test:upstream`. */
async function runEngine(name: string): Promise<SuiteEnd> {
  await installUpstream(name);
  const config = 'test/engines/playwright.config.ts';
  return runPlaywright('engines', '--config', config, `${name}.test.ts`);
}

/** The suites of each part, in the order in which they run. */
const SUITES: Record<Part, Record<string, () => Promise<SuiteEnd>>> = {
  main: {
    unit: () => runVitest('unit'),
    'unit-modules': () => runVitest('unit-modules'),
    contract: () => runVitest('contract'),
    'browser, main': () => runPlaywright('browser', ...partOf('main', 'browser')),
    'browsers, main': () => runOtherBrowsers('main'),
    'f16, main': () => runOnGpu('main'),
  },
  rest: {
    built: () => runVitest('built'),
    scripts: () => runVitest('scripts'),
    serve: () => runVitest('serve'),
    package: () => runVitest('package'),
    templates: () => runVitest('templates'),
    schemas: () => runVitest('schemas'),
    docs: () => runVitest('docs'),
    embed: () => runVitest('embed'),
    ...Object.fromEntries(SMALL_ENGINES.map((name) => [name, () => runEngine(name)])),
    'browser, the rest': () => runPlaywright('browser', ...partOf('rest', 'browser')),
    'browsers, the rest': () => runOtherBrowsers('rest'),
    'f16, the rest': () => runOnGpu('rest'),
  },
  long: {
    gpu: () => runVitest('gpu'),
    clients: () => runVitest('clients'),
    'browser, long': () => runPlaywright('browser', ...partOf('long', 'browser')),
    'browsers, long': () => runOtherBrowsers('long'),
    'f16, long': () => runOnGpu('long'),
  },
};

/** Runs one step and records how long it took. An error that it throws counts as one failure. */
async function step(name: string, run: () => Promise<SuiteEnd>): Promise<SuiteEnd> {
  const begin = performance.now();
  process.stdout.write(`\n== ${name} (after ${(begin / 60_000).toFixed(1)} min)\n`);
  const end = await run().catch((error: unknown) => {
    process.stdout.write(`${messageOf(error)}\n`);
    return oneFailure(name, error);
  });
  times.push(`${((performance.now() - begin) / 1000).toFixed(0).padStart(6)} s  ${name}`);
  return end;
}

const times: string[] = [];

async function main(parts: Part[]): Promise<void> {
  rmSync(RESULTS, { recursive: true, force: true });
  const ends = [await step('build', () => build().then(() => addEnds([])))];
  if (ends[0]?.failed === 0) {
    const suites = parts.flatMap((part) => Object.entries(SUITES[part]));
    for (const [name, run] of suites) ends.push(await step(name, run));
  }
  const all = addEnds(ends);
  process.stdout.write(`\nTime of each step:\n${times.join('\n')}\n${closing(all)}`);
  process.exitCode = all.failed === 0 ? 0 : 1;
}

const { positionals } = parseArgs({ allowPositionals: true });
const parts = PARTS.filter((name) => positionals.includes(name));
if (parts.length === 0 || parts.length < positionals.length) {
  process.stderr.write(`The parts are ${PARTS.join(', ')}.\n`);
  process.exitCode = 2;
} else {
  await main(parts);
}
