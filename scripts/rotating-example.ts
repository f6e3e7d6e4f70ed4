import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from './run-command.ts';
import { ROOT } from './stamp.ts';

const FOLDER = 'test/embed';

/**
 * The test of one of the examples that `npm run test:embed` builds: another one for each commit, by its time. In a
 * folder without git, by the time of day.
 *
 * @returns its path
 */
export async function rotatingExample(): Promise<string> {
  const tests = readdirSync(join(ROOT, FOLDER))
    .filter((file) => file.endsWith('.test.ts'))
    .sort();
  const file = tests[(await commitTime()) % tests.length];
  if (file === undefined) throw new Error(`${FOLDER} has no tests.`);
  return `${FOLDER}/${file}`;
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
