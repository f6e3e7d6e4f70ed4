import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addEnds, oneFailure, suiteEnd } from '../../../scripts/test-report.ts';

let folder: string;

function report(content: unknown): string {
  const path = join(folder, 'report.json');
  writeFileSync(path, JSON.stringify(content));
  return path;
}

const vitest = (passed: number, failed: number, testResults: object[] = []) =>
  report({ numPassedTests: passed, numFailedTests: failed, testResults });
const playwright = (
  [expected, unexpected, flaky]: [number, number, number],
  suites: object[] = [],
) => report({ stats: { expected, unexpected, flaky }, suites });

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'test-report-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('reads the counts of a Vitest report', () => {
  expect(suiteEnd('unit', vitest(7, 2), 1)).toEqual({ passed: 7, failed: 2, failures: [] });
});

test('names the failed tests of a Vitest report, each with the first line of its reason', () => {
  const assertionResults = [
    { status: 'passed', fullName: 'adds', failureMessages: [] },
    {
      status: 'failed',
      fullName: 'divides',
      failureMessages: ['AssertionError: expected \u001B[31m1\u001B[39m to be 2\n  at a.ts:1'],
    },
  ];
  const path = vitest(1, 1, [{ name: 'a.test.ts', status: 'failed', assertionResults }]);
  expect(suiteEnd('unit', path, 1).failures).toEqual([
    'a.test.ts › divides › AssertionError: expected 1 to be 2',
  ]);
});

test('names a file that Vitest could not load', () => {
  const file = {
    name: 'a.test.ts',
    status: 'failed',
    message: 'Cannot find b',
    assertionResults: [],
  };
  expect(suiteEnd('unit', vitest(7, 0, [file]), 1)).toEqual({
    passed: 7,
    failed: 1,
    failures: ['a.test.ts › Cannot find b', 'unit › ended with 1'],
  });
});

test('counts a flaky browser test as failed, and names it', () => {
  const spec = (title: string, status: string, ...messages: string[]) => ({
    title,
    file: 'b.test.ts',
    tests: [
      {
        projectName: 'firefox',
        status,
        results: [{ errors: messages.map((message) => ({ message })) }],
      },
    ],
  });
  const path = playwright(
    [7, 1, 1],
    [
      {
        specs: [spec('opens', 'expected'), spec('closes', 'unexpected', 'Error: no\ntrace')],
        suites: [{ specs: [spec('waits', 'flaky', 'Error: late')] }],
      },
    ],
  );
  expect(suiteEnd('browser', path, 1)).toEqual({
    passed: 7,
    failed: 2,
    failures: [
      'firefox › b.test.ts › closes › Error: no',
      'firefox › b.test.ts › waits › Error: late',
    ],
  });
});

test('a suite that ran no test has failed', () => {
  const end = { passed: 0, failed: 1, failures: ['unit › ran no test'] };
  expect(suiteEnd('unit', vitest(0, 0), 0)).toEqual(end);
});

test('a runner that fails without a failed test counts as one failure', () => {
  const end = { passed: 7, failed: 1, failures: ['unit › ended with 1'] };
  expect(suiteEnd('unit', vitest(7, 0), 1)).toEqual(end);
});

test('a suite without a report has failed', () => {
  expect(suiteEnd('unit', join(folder, 'none.json'), 0)).toMatchObject({ passed: 0, failed: 1 });
});

test('a report that was cut short counts as one failure', () => {
  writeFileSync(join(folder, 'cut.json'), '{"numPassed');
  expect(suiteEnd('unit', join(folder, 'cut.json'), 0)).toMatchObject({ passed: 0, failed: 1 });
});

test('adds up how suites ended', () => {
  const all = [
    oneFailure('firefox', new Error('cannot be installed\nmore')),
    { passed: 1, failed: 0, failures: [] },
  ];
  expect(addEnds(all)).toEqual({
    passed: 1,
    failed: 1,
    failures: ['firefox › cannot be installed'],
  });
});
