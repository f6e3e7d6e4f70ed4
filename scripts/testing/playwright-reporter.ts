import type { Reporter, Suite, TestCase } from 'playwright/types/testReporter';
import { reportSuite, type TestResult } from './test-report.ts';

/** A log that is cut off still says how far the suite came in which time. */
const TESTS_PER_LINE = 50;

const OUTCOMES = { expected: 'passed', unexpected: 'failed', flaky: 'failed' } as const;

/** Reports a suite of Playwright in the form of `test-report.ts`. */
export default class PlaywrightReporter implements Reporter {
  readonly #name: string;
  readonly #begin = performance.now();
  #root: Suite | undefined;
  #ended = 0;

  constructor({ suite }: { suite: string }) {
    this.#name = suite;
  }

  onBegin(_config: unknown, root: Suite): void {
    this.#root = root;
  }

  onTestEnd(): void {
    this.#ended += 1;
    if (this.#ended % TESTS_PER_LINE !== 0) return;
    const minutes = ((performance.now() - this.#begin) / 60_000).toFixed(1);
    process.stdout.write(`  -- ${this.#name}: ${this.#ended} tests after ${minutes} min\n`);
  }

  onEnd(): void {
    const tests = this.#root?.allTests() ?? [];
    // With `--list`, no test runs.
    if (tests.some(({ results }) => results.length > 0))
      reportSuite(this.#name, tests.map(toResult));
  }

  printsToStdio(): boolean {
    return false;
  }
}

function toResult(test: TestCase): TestResult {
  // The file's path and titles follow the root and the project.
  const [, project = '', file = '', ...titles] = test.titlePath();
  const all = test.results.reduce((sum, { duration }) => sum + duration, 0);
  const hooks = test.results
    .flatMap(({ steps }) => steps)
    .filter(({ category }) => category === 'hook');
  const setUp = hooks.reduce((sum, { duration }) => sum + Math.max(duration, 0), 0);
  return {
    file: [project, file].filter(Boolean).join(' '),
    title: titles.join(' › '),
    ...outcomeOf(test),
    setUp,
    duration: Math.max(all - setUp, 0),
  };
}

/** A flaky test, which passes only on a retry, counts as failed. So does a test that an earlier failure prevented. */
function outcomeOf(test: TestCase): Pick<TestResult, 'outcome' | 'reason'> {
  const outcome = test.outcome();
  if (outcome !== 'skipped') {
    const errors = test.results.flatMap((result) => result.errors);
    return { outcome: OUTCOMES[outcome], reason: errors.find(({ message }) => message)?.message };
  }
  if (test.expectedStatus !== 'skipped') return { outcome: 'failed', reason: 'did not run' };
  const skip = test.annotations.find(({ type }) => type === 'skip');
  return { outcome: 'skipped', reason: skip?.description };
}
