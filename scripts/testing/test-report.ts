import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import * as v from 'valibot';
import { ROOT } from '../build/stamp.ts';
import { messageOf } from '../../src/core/text/message-of.ts';

/** Folder of the suites' reports. */
export const RESULTS = join(ROOT, 'test-results');

/** A test that has ended, or a file that could not be loaded. Set-up of a whole file counts with its first test. */
export interface TestResult {
  /** The file's browser or engine, if the suite has several, and its path. */
  file: string;
  /** Empty: the result is that of the file itself. */
  title: string;
  outcome: 'passed' | 'failed' | 'skipped';
  /** Why it failed or was skipped. */
  reason?: string | undefined;
  /** Milliseconds of hooks and fixtures. */
  setUp: number;
  /** Milliseconds without `setUp`. */
  duration: number;
}

const endSchema = v.object({
  passed: v.number(),
  failed: v.number(),
  skipped: v.number(),
  /** The failed tests, each with the first line of its reason. */
  failures: v.array(v.string()),
  /** The skipped tests, each with its reason. */
  skips: v.array(v.string()),
});

/** How a suite ended. */
export type SuiteEnd = v.InferOutput<typeof endSchema>;

/** Writes the report of a suite for `suiteEnd`, and prints where its time went. */
export function reportSuite(name: string, tests: readonly TestResult[]): void {
  const of = (outcome: TestResult['outcome']) => tests.filter((test) => test.outcome === outcome);
  const end: SuiteEnd = {
    passed: of('passed').length,
    failed: of('failed').length,
    skipped: of('skipped').length,
    failures: of('failed').map(line),
    skips: of('skipped').map(line),
  };
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(reportOf(name), JSON.stringify({ ...end, tests }));
  process.stdout.write(`\n${slowestFiles(name, tests)}\n`);
}

/** The files that took longest, at most ten, as a table. */
export function slowestFiles(name: string, tests: readonly TestResult[]): string {
  const files = Map.groupBy(tests, ({ file }) => file);
  const rows = [...files].map(([file, each]) => {
    const setUp = seconds(each.map((test) => test.setUp));
    const inTests = seconds(each.map(({ duration }) => duration));
    return { file, setUp, inTests, all: setUp + inTests };
  });
  rows.sort((a, b) => b.all - a.all);
  const table = rows
    .slice(0, 10)
    .map(({ file, setUp, inTests, all }) => [all, setUp, inTests].map(cell).join('') + `  ${file}`);
  const sum = rows.reduce((before, { all }) => before + all, 0).toFixed(0);
  const head = `${name}: ${files.size} files, ${sum} s in all; the slowest, in seconds`;
  return [head, `${['all', 'set-up', 'tests'].map(cell).join('')}  file`, ...table].join('\n');
}

function seconds(milliseconds: number[]): number {
  return milliseconds.reduce((sum, each) => sum + each, 0) / 1000;
}

function cell(value: string | number): string {
  return (typeof value === 'number' ? value.toFixed(1) : value).padStart(8);
}

/** A test and its reason in one line. */
function line({ file, title, reason = '' }: Pick<TestResult, 'file' | 'title' | 'reason'>): string {
  const first = stripVTControlCharacters(reason).trim().split('\n', 1);
  return [file, title, ...first].filter(Boolean).join(' › ');
}

function reportOf(name: string): string {
  return join(RESULTS, `${name}.json`);
}

/**
 * How a suite ended, according to its report. If the runner failed without a failed test, or ran no test, that counts
 * as one failed test, so that neither looks like success.
 */
export function suiteEnd(name: string, exitCode: number): SuiteEnd {
  const end = readReport(name) ?? addEnds([]);
  if (end.failed > 0 || (exitCode === 0 && end.passed > 0)) return end;
  const reason = end.passed > 0 ? `ended with ${exitCode}` : 'ran no test';
  return addEnds([end, oneFailure(name, reason)]);
}

/** Undefined if the report is missing or was cut short. */
function readReport(name: string): SuiteEnd | undefined {
  try {
    return v.parse(endSchema, JSON.parse(readFileSync(reportOf(name), 'utf8')));
  } catch {
    return undefined;
  }
}

/** A failure of something other than a test, such as an installation. */
export function oneFailure(name: string, error: unknown): SuiteEnd {
  const reason = messageOf(error);
  return { ...addEnds([]), failed: 1, failures: [line({ file: name, title: '', reason })] };
}

/** A suite that cannot run here. It counts as one skipped test. */
export function oneSkip(name: string, reason: string): SuiteEnd {
  return { ...addEnds([]), skipped: 1, skips: [line({ file: name, title: '', reason })] };
}

export function addEnds(all: readonly SuiteEnd[]): SuiteEnd {
  return {
    passed: all.reduce((sum, { passed }) => sum + passed, 0),
    failed: all.reduce((sum, { failed }) => sum + failed, 0),
    skipped: all.reduce((sum, { skipped }) => sum + skipped, 0),
    failures: all.flatMap(({ failures }) => failures),
    skips: all.flatMap(({ skips }) => skips),
  };
}

/** The names of skipped and failed tests; the last line has the sums. */
export function closing({ passed, failed, skipped, failures, skips }: SuiteEnd): string {
  const named = [
    ...(skips.length > 0 ? ['', 'Skipped:', ...skips] : []),
    ...(failures.length > 0 ? ['', 'Failed:', ...failures] : []),
  ];
  return [...named, '', `${passed} passed, ${failed} failed, ${skipped} skipped`, ''].join('\n');
}
