import { readFileSync } from 'node:fs';
import * as v from 'valibot';

export interface Counts {
  passed: number;
  failed: number;
}

const vitestReport = v.pipe(
  v.object({ numPassedTests: v.number(), numFailedTests: v.number() }),
  v.transform((report) => ({ passed: report.numPassedTests, failed: report.numFailedTests })),
);

/** A flaky test, which passes only when it is retried, counts as failed. */
const playwrightReport = v.pipe(
  v.object({
    stats: v.object({ expected: v.number(), unexpected: v.number(), flaky: v.number() }),
  }),
  v.transform(({ stats }) => ({ passed: stats.expected, failed: stats.unexpected + stats.flaky })),
);

/** Zero counts if the report is missing or cannot be read. */
function readCounts(path: string): Counts {
  try {
    const report: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return v.parse(v.union([vitestReport, playwrightReport]), report);
  } catch {
    return { passed: 0, failed: 0 };
  }
}

/**
 * The counts in a suite's JSON report. If the runner failed without a failed test, or ran no test at all,
 * that counts as one failed test, so that neither looks like success.
 */
export function suiteCounts(path: string, exitCode: number): Counts {
  const { passed, failed } = readCounts(path);
  const silentFailure = failed === 0 && (exitCode !== 0 || passed === 0);
  return { passed, failed: silentFailure ? 1 : failed };
}

export function addCounts(all: Counts[]): Counts {
  return {
    passed: all.reduce((sum, { passed }) => sum + passed, 0),
    failed: all.reduce((sum, { failed }) => sum + failed, 0),
  };
}
