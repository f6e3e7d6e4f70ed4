import { readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import * as v from 'valibot';

export interface SuiteEnd {
  passed: number;
  failed: number;
  /** What failed, each with the first line of its reason. */
  failures: string[];
}

/** A file that cannot be loaded has a message and no tests. */
const vitestFile = v.pipe(
  v.object({
    name: v.string(),
    status: v.string(),
    message: v.optional(v.string()),
    assertionResults: v.array(
      v.object({
        status: v.string(),
        fullName: v.string(),
        failureMessages: v.nullish(v.array(v.string()), []),
      }),
    ),
  }),
  v.transform(({ name, status, message, assertionResults }) => {
    const failures = assertionResults
      .filter((test) => test.status === 'failed')
      .map((test) => failure([name, test.fullName], test.failureMessages));
    return failures.length > 0 || status !== 'failed' ? failures : [failure([name], [message])];
  }),
);

const vitestReport = v.pipe(
  v.object({
    numPassedTests: v.number(),
    numFailedTests: v.number(),
    testResults: v.array(vitestFile),
  }),
  v.transform(({ numPassedTests, numFailedTests, testResults }) => ({
    passed: numPassedTests,
    failed: numFailedTests,
    failures: testResults.flat(),
  })),
);

interface PlaywrightSuite {
  specs: v.InferOutput<typeof playwrightSpec>[];
  suites?: PlaywrightSuite[] | undefined;
}

/** A flaky test, which passes only when it is retried, counts as failed. */
const playwrightSpec = v.pipe(
  v.object({
    title: v.string(),
    file: v.string(),
    tests: v.array(
      v.object({
        projectName: v.string(),
        status: v.string(),
        results: v.array(
          v.object({ errors: v.array(v.object({ message: v.optional(v.string()) })) }),
        ),
      }),
    ),
  }),
  v.transform(({ title, file, tests }) =>
    tests
      .filter(({ status }) => status === 'unexpected' || status === 'flaky')
      .map(({ projectName, results }) =>
        failure(
          [projectName, file, title],
          results.flatMap(({ errors }) => errors.map(({ message }) => message)),
        ),
      ),
  ),
);

const playwrightSuite: v.GenericSchema<unknown, PlaywrightSuite> = v.object({
  specs: v.array(playwrightSpec),
  suites: v.optional(v.array(v.lazy(() => playwrightSuite))),
});

const playwrightReport = v.pipe(
  v.object({
    stats: v.object({ expected: v.number(), unexpected: v.number(), flaky: v.number() }),
    suites: v.array(playwrightSuite),
  }),
  v.transform(({ stats, suites }) => ({
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky,
    failures: suites.flatMap(failuresOf),
  })),
);

function failuresOf({ specs, suites = [] }: PlaywrightSuite): string[] {
  return [...specs.flat(), ...suites.flatMap(failuresOf)];
}

/** One line. */
function failure(path: string[], messages: (string | undefined)[]): string {
  const reason = stripVTControlCharacters(messages.find(Boolean) ?? '')
    .trim()
    .split('\n', 1);
  return [...path, ...reason].filter(Boolean).join(' › ');
}

/** Undefined if the report is missing or cannot be read. */
function readReport(path: string): SuiteEnd | undefined {
  try {
    const report: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return v.parse(v.union([vitestReport, playwrightReport]), report);
  } catch {
    return undefined;
  }
}

/**
 * How a suite ended, by its JSON report. If the runner failed without a failed test, or ran no test at all,
 * that counts as one failed test, so that neither looks like success.
 *
 * @param name - of the suite
 */
export function suiteEnd(name: string, path: string, exitCode: number): SuiteEnd {
  const { passed, failed, failures } = readReport(path) ?? { passed: 0, failed: 0, failures: [] };
  if (failed > 0 || (exitCode === 0 && passed > 0)) return { passed, failed, failures };
  const reason = passed > 0 ? `ended with ${exitCode}` : 'ran no test';
  return { passed, failed: 1, failures: [...failures, failure([name], [reason])] };
}

/** Something other than a test that failed, such as an installation. */
export function oneFailure(name: string, error: unknown): SuiteEnd {
  const reason = error instanceof Error ? error.message : String(error);
  return { passed: 0, failed: 1, failures: [failure([name], [reason])] };
}

export function addEnds(all: SuiteEnd[]): SuiteEnd {
  return {
    passed: all.reduce((sum, { passed }) => sum + passed, 0),
    failed: all.reduce((sum, { failed }) => sum + failed, 0),
    failures: all.flatMap(({ failures }) => failures),
  };
}
