import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addCounts, suiteCounts } from '../../../scripts/test-report.ts';

let folder: string;

function report(content: unknown): string {
  const path = join(folder, 'report.json');
  writeFileSync(path, JSON.stringify(content));
  return path;
}

const vitest = (passed: number, failed: number) =>
  report({ numPassedTests: passed, numFailedTests: failed });
const playwright = (expected: number, unexpected: number, flaky: number) =>
  report({ stats: { expected, unexpected, flaky } });

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'test-report-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('reads the counts of a Vitest report', () => {
  expect(suiteCounts(vitest(7, 2), 1)).toEqual({ passed: 7, failed: 2 });
});

test('counts a flaky browser test as failed', () => {
  expect(suiteCounts(playwright(7, 1, 2), 1)).toEqual({ passed: 7, failed: 3 });
});

test('a suite that ran no test has failed', () => {
  expect(suiteCounts(vitest(0, 0), 0)).toEqual({ passed: 0, failed: 1 });
});

test('a runner that fails without a failed test counts as one failure', () => {
  expect(suiteCounts(vitest(7, 0), 1)).toEqual({ passed: 7, failed: 1 });
});

test('a suite without a report has failed', () => {
  expect(suiteCounts(join(folder, 'none.json'), 0)).toEqual({ passed: 0, failed: 1 });
});

test('a report that was cut short counts as one failure', () => {
  writeFileSync(join(folder, 'cut.json'), '{"numPassed');
  expect(suiteCounts(join(folder, 'cut.json'), 0)).toEqual({ passed: 0, failed: 1 });
});

test('adds up the counts of all suites', () => {
  const all = [suiteCounts(vitest(7, 2), 1), { passed: 1, failed: 0 }];
  expect(addCounts(all)).toEqual({ passed: 8, failed: 2 });
});
