import { relative } from 'node:path';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { ROOT } from '../build/stamp.ts';
import { reportSuite, type TestResult } from './test-report.ts';

/** Reports each project of Vitest, which is a suite of ours, in the form of `test-report.ts`. */
export class VitestReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const suites = Map.groupBy(modules, ({ project }) => project.name);
    for (const [name, files] of suites) reportSuite(name, files.flatMap(resultsOf));
  }
}

function resultsOf(module: TestModule): TestResult[] {
  const file = relative(ROOT, module.moduleId);
  const tests = [...module.children.allTests()].map((test) => toResult(file, test));
  const inTests = tests.reduce((sum, { duration }) => sum + duration, 0);
  const { environmentSetupDuration, prepareDuration, collectDuration, setupDuration, duration } =
    module.diagnostic();
  const hooks = Math.max(duration - inTests, 0);
  const setUp =
    environmentSetupDuration + prepareDuration + collectDuration + setupDuration + hooks;
  const error = errorsOf(module).find(({ message }) => message);
  const results: TestResult[] = error
    ? [{ file, title: '', outcome: 'failed', reason: error.message, setUp, duration: 0 }, ...tests]
    : tests;
  return results.map((result, index) => (index === 0 ? { ...result, setUp } : result));
}

/** Errors outside of tests: while the file was loaded, or in a hook. */
function errorsOf(module: TestModule) {
  const suites = [...module.children.allSuites()];
  return [...module.errors(), ...suites.flatMap((suite) => suite.errors())];
}

function toResult(file: string, test: TestCase): TestResult {
  const result = test.result();
  const common = {
    file,
    title: test.fullName,
    setUp: 0,
    duration: test.diagnostic()?.duration ?? 0,
  };
  switch (result.state) {
    case 'passed':
      return { ...common, outcome: 'passed' };
    case 'skipped':
      // An earlier hook failed.
      if (test.options.mode === 'run' && result.note === undefined)
        return { ...common, outcome: 'failed', reason: 'did not run' };
      return { ...common, outcome: 'skipped', reason: result.note };
    case 'failed':
      return { ...common, outcome: 'failed', reason: result.errors[0]?.message };
    case 'pending':
      return { ...common, outcome: 'failed', reason: 'did not end' };
  }
}
