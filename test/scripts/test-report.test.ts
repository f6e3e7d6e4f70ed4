import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { runCommand } from '../../scripts/run-command.ts';
import {
  addEnds,
  closing,
  oneFailure,
  oneSkip,
  reportSuite,
  RESULTS,
  slowestFiles,
  suiteEnd,
  type TestResult,
} from '../../scripts/testing/test-report.ts';

// On a busy machine it takes seconds to start a process.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const SUITE = 'sample-report';
const SAMPLES = 'test/scripts/samples';

function forget(name: string): void {
  onTestFinished(() => rmSync(join(RESULTS, `${name}.json`), { force: true }));
}

function result(changes: Partial<TestResult>): TestResult {
  const outcome = 'passed' as const;
  return { file: 'a.test.ts', title: 'adds', outcome, setUp: 0, duration: 0, ...changes };
}

function report(...tests: TestResult[]): void {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  onTestFinished(() => void vi.restoreAllMocks());
  forget(SUITE);
  reportSuite(SUITE, tests);
}

beforeAll(() => void mkdirSync(RESULTS, { recursive: true }));

test('a suite of Playwright: what failed, did not run or was skipped, by name', async () => {
  forget('sample-playwright');
  const { code } = await runCommand('npx', ['playwright', 'test', '--config', SAMPLES], {
    quiet: true,
  });
  expect(suiteEnd('sample-playwright', code)).toEqual({
    passed: 1,
    failed: 3,
    skipped: 1,
    failures: [
      expect.stringMatching(/^firefox sample\.playwright\.ts › a group › fails › Error: expect/),
      'firefox sample.playwright.ts › a broken group › is not set up › Error: no server',
      'firefox sample.playwright.ts › a broken group › does not run › did not run',
    ],
    skips: ['firefox sample.playwright.ts › a group › is skipped › There is no such program.'],
  });
});

test('a suite of Vitest: what failed, could not be loaded, did not run or was skipped, by name', async () => {
  forget('sample-vitest');
  const { code } = await runCommand(
    'npx',
    ['vitest', 'run', '--config', `${SAMPLES}/vitest.config.ts`],
    { quiet: true },
  );
  const { failures, ...end } = suiteEnd('sample-vitest', code);
  expect(end).toEqual({
    passed: 1,
    failed: 4,
    skipped: 2,
    skips: [
      `${SAMPLES}/sample.vitest.ts › is skipped › There is no such program.`,
      `${SAMPLES}/sample.vitest.ts › is left out`,
    ],
  });
  expect(failures.toSorted()).toEqual([
    `${SAMPLES}/hook.vitest.ts › is not set up › did not run`,
    `${SAMPLES}/hook.vitest.ts › no server`,
    `${SAMPLES}/sample.vitest.ts › a group > fails › expected 1 to be 2 // Object.is equality`,
    `${SAMPLES}/unloadable.vitest.ts › no such thing`,
  ]);
  const { tests } = JSON.parse(readFileSync(join(RESULTS, 'sample-vitest.json'), 'utf8')) as {
    tests: TestResult[];
  };
  const loaded = tests.find(({ title }) => title === 'passes');
  expect(loaded?.setUp).toBeGreaterThan(0);
});

test('a suite that ran no test has failed', () => {
  report();
  expect(suiteEnd(SUITE, 0)).toMatchObject({ failed: 1, failures: [`${SUITE} › ran no test`] });
});

test('a runner that fails without a failed test counts as one failure', () => {
  report(result({}), result({ outcome: 'skipped' }));
  expect(suiteEnd(SUITE, 0)).toMatchObject({ passed: 1, failed: 0, skipped: 1 });
  expect(suiteEnd(SUITE, 1)).toMatchObject({
    passed: 1,
    failed: 1,
    skipped: 1,
    failures: [`${SUITE} › ended with 1`],
  });
});

test('a suite without a report, or with one that was cut short, has failed', () => {
  expect(suiteEnd('sample-none', 0)).toMatchObject({ passed: 0, failed: 1 });
  forget(SUITE);
  writeFileSync(join(RESULTS, `${SUITE}.json`), '{"passed":1');
  expect(suiteEnd(SUITE, 0)).toMatchObject({ passed: 0, failed: 1 });
});

test('the slowest files come first, with their set-up and their tests', () => {
  const table = slowestFiles('unit', [
    result({ setUp: 1000, duration: 500 }),
    result({ duration: 250 }),
    result({ file: 'b.test.ts', duration: 20_000 }),
  ]);
  expect(table.split('\n')).toEqual([
    'unit: 2 files, 22 s in all; the slowest, in seconds',
    '     all  set-up   tests  file',
    '    20.0     0.0    20.0  b.test.ts',
    '     1.8     1.0     0.8  a.test.ts',
  ]);
});

test('at the end stand the names of what was skipped and of what failed, then the sums', () => {
  const all = [
    oneFailure('firefox', new Error('cannot be installed\nmore')),
    oneSkip('webkit', 'It exists for Linux only.'),
    { ...addEnds([]), passed: 3 },
  ];
  expect(closing(addEnds(all)).split('\n')).toEqual([
    ...['', 'Skipped:', 'webkit › It exists for Linux only.'],
    ...['', 'Failed:', 'firefox › cannot be installed'],
    ...['', '3 passed, 1 failed, 1 skipped', ''],
  ]);
});
