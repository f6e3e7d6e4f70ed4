/**
 * `npm test`: makes everything that the tests need and runs every suite; of the slowest tests, those whose turn it is
 * (`rotation.ts`). What failed is repeated at the end; the last line has the sums, e.g. `123 passed, 0 failed`. Where
 * Firefox or WebKitGTK cannot be had, their tests are skipped; in CI, that is a failure.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildSite } from './build-site.ts';
import { ensureChromium, ensureOther } from './ensure-browsers.ts';
import { installUpstream } from './install-upstream.ts';
import { OTHER_BROWSERS, type OtherBrowser } from './other-browsers.ts';
import { runCommand } from './run-command.ts';
import { rotation } from './rotation.ts';
import { ROOT } from './stamp.ts';
import { addEnds, oneFailure, suiteEnd, type SuiteEnd } from './test-report.ts';

const RESULTS = join(ROOT, 'test-results');

function heading(text: string): void {
  process.stdout.write(`\n== ${text}\n`);
}

async function prepare(): Promise<SuiteEnd> {
  heading('preparing');
  try {
    await ensureChromium();
    const { defaultPacks } = await import('./packs.ts');
    await buildSite({ packs: await defaultPacks() });
    return addEnds([]);
  } catch (error) {
    print(error);
    return oneFailure('preparing', error);
  }
}

function print(error: unknown): void {
  process.stdout.write(`${error instanceof Error ? error.message : String(error)}\n`);
}

/** @param files - only these tests */
async function runVitest(project: string, ...files: string[]): Promise<SuiteEnd> {
  heading([project, ...files].join(' '));
  const report = join(RESULTS, `${project}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const { code } = await runCommand('vitest', [
    'run',
    '--project',
    project,
    ...reporters,
    ...files,
  ]);
  return suiteEnd(project, report, code);
}

/** Its playwright.config.ts sets the path of its report. */
async function runPlaywright(name: string, options: string[] = []): Promise<SuiteEnd> {
  heading(name);
  const { code } = await runCommand('playwright', ['test', ...options]);
  return suiteEnd(name, join(RESULTS, `${name}.json`), code);
}

/** As `npm run test:upstream` does. */
async function runEngine(name: string): Promise<SuiteEnd> {
  try {
    await installUpstream(name);
  } catch (error) {
    print(error);
    return oneFailure(name, error);
  }
  const config = ['--config', 'test/engines/playwright.config.ts'];
  return runPlaywright('engines', [...config, `${name}.test.ts`]);
}

async function runOtherBrowsers(): Promise<SuiteEnd> {
  const found: OtherBrowser[] = [];
  const missing: SuiteEnd[] = [];
  for (const name of OTHER_BROWSERS) {
    try {
      await ensureOther(name);
      found.push(name);
    } catch (error) {
      print(error);
      process.stdout.write(`The tests in ${name} are skipped.\n`);
      if (process.env['CI']) missing.push(oneFailure(name, error));
    }
  }
  if (found.length === 0) return addEnds(missing);
  const options = ['--config', 'test/browsers', ...found.map((name) => `--project=${name}`)];
  return addEnds([...missing, await runPlaywright('browsers', options)]);
}

rmSync(RESULTS, { recursive: true, force: true });
mkdirSync(RESULTS);
const prepared = await prepare();
const suites = [await runVitest('unit'), await runVitest('contract')];
// Without the site, every test with a browser would fail for the same reason.
if (prepared.failed === 0) {
  suites.push(await runVitest('serve'), await runVitest('package'), await runVitest('docs'));
  const { example, engine, leftOut } = await rotation();
  process.stdout.write(`Left out, another time their turn: ${leftOut}\n`);
  if (example) suites.push(await runVitest('embed', example));
  if (engine) suites.push(await runEngine(engine));
  suites.push(await runPlaywright('browser', ['--grep-invert', leftOut]));
  suites.push(await runOtherBrowsers());
}
const { passed, failed, failures } = addEnds([prepared, ...suites]);
if (failures.length > 0) process.stdout.write(`\nFailed:\n${failures.join('\n')}\n`);
process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
