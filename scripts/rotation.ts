import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from './run-command.ts';
import { ROOT } from './stamp.ts';

const EXAMPLES = 'test/embed';

/** The slowest browser tests on WebLLM, in groups that take about as long. Each is a file below `test/browser`. */
const SLOW_TESTS = [
  ['faults/takeover', 'faults/downloads'],
  ['memory', 'faults/same-answer'],
  ['faults/engine-worker', 'model-library'],
] as const;

/** What `npm test` runs of the slowest tests: another part for each commit. */
export interface Rotation {
  /** Path of the test of one example. */
  example: string;
  /** What the names of the slow browser tests that are left out begin with: a regular expression. */
  leftOut: string;
}

/** The part for this commit, by its time; in a folder without git, by the time of day. */
export async function rotation(): Promise<Rotation> {
  const time = await commitTime();
  const examples = readdirSync(join(ROOT, EXAMPLES))
    .filter((file) => file.endsWith('.test.ts'))
    .sort();
  const others = SLOW_TESTS.filter((_, index) => index !== time % SLOW_TESTS.length);
  return {
    example: `${EXAMPLES}/${chosen(examples, time)}`,
    leftOut: `^ ?webllm (${others.flat().join('|')})\\.test\\.ts`,
  };
}

function chosen(files: string[], time: number): string {
  const file = files[Math.floor(time / SLOW_TESTS.length) % files.length];
  if (file === undefined) throw new Error(`${EXAMPLES} has no tests.`);
  return file;
}

/** Seconds. */
async function commitTime(): Promise<number> {
  const now = Math.floor(Date.now() / 1000);
  try {
    const { code, stdout } = await runCommand('git', ['log', '-1', '--format=%ct'], {
      quiet: true,
    });
    return code === 0 ? Number(stdout) : now;
  } catch {
    return now;
  }
}
