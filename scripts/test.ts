/**
 * `npm test`: makes everything that the tests need and runs every suite. The last line has the sums, e.g.
 * `123 passed, 0 failed`.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildSite } from './build-site.ts';
import { ensureChromium } from './ensure-chromium.ts';
import { runCommand } from './run-command.ts';
import { ROOT } from './stamp.ts';
import { addCounts, suiteCounts, type Counts } from './test-report.ts';

const RESULTS = join(ROOT, 'test-results');

function heading(text: string): void {
  process.stdout.write(`\n== ${text}\n`);
}

async function prepare(): Promise<Counts> {
  heading('preparing');
  try {
    await ensureChromium();
    const { defaultPacks } = await import('./packs.ts');
    await buildSite({ packs: await defaultPacks() });
    return { passed: 0, failed: 0 };
  } catch (error) {
    process.stdout.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return { passed: 0, failed: 1 };
  }
}

async function runVitest(project: string): Promise<Counts> {
  heading(project);
  const report = join(RESULTS, `${project}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const { code } = await runCommand('vitest', ['run', '--project', project, ...reporters]);
  return suiteCounts(report, code);
}

async function runPlaywright(): Promise<Counts> {
  heading('browser');
  const { code } = await runCommand('playwright', ['test']);
  // playwright.config.ts sets this path.
  return suiteCounts(join(RESULTS, 'browser.json'), code);
}

rmSync(RESULTS, { recursive: true, force: true });
mkdirSync(RESULTS);
const prepared = await prepare();
const suites = [await runVitest('unit'), await runVitest('contract')];
// Without the site, every test with a browser would fail for the same reason.
if (prepared.failed === 0) suites.push(await runVitest('serve'), await runPlaywright());
const { passed, failed } = addCounts([prepared, ...suites]);
process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
