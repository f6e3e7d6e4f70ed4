import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import { SITE } from '../../../scripts/build.ts';
import { runningProcesses, type RunningProcess } from '../../support/processes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const CLI = fileURLToPath(new URL('../../../src/node/cli.ts', import.meta.url));
const USUAL = ['--headless', '--port=0', '--api-port=0', '--gpu=software'];

// Deleted after all tests: a browser that has lost its command still writes for a while.
const FOLDER = temporaryFolder(afterAll);

/**
 * Starts `slashv1 serve` in a new process, on free ports, without a GPU.
 *
 * @param site - default: our own
 */
export function startServe(args: string[] = [], env: Record<string, string> = {}, site = SITE) {
  // The process writes only into this folder.
  const folder = mkdtempSync(join(FOLDER, 'serve-'));
  const child = spawn(process.execPath, [CLI, 'serve', site, ...USUAL, ...args], {
    env: { ...process.env, TMPDIR: folder, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (piece: string) => (stderr += piece));
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  const ended = once(child, 'close').then(([code]: (number | null)[]) => ({
    code,
    stderr,
    leftFiles: readdirSync(folder),
    leftProcesses: processesOf(folder),
  }));
  return {
    /** The lines that it printed on stdout. */
    lines,
    /** Resolves with its first line. Rejects with its errors if it ends without one. */
    async ready(): Promise<string> {
      const failed = ended.then((end) => Promise.reject(new Error(`It ended: ${end.stderr}`)));
      const [line]: string[] = await Promise.race([once(reader, 'line'), failed]);
      return line ?? '';
    },
    /** What it has written to stderr so far. */
    errors: () => stderr,
    /** Processes of the browser. */
    browser: () => processesOf(folder),
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    /** Resolves when it has ended: with its exit code, its errors, and what it left behind. */
    ended,
  };
}

/** All processes that have this folder in their command line. */
function processesOf(folder: string): RunningProcess[] {
  return runningProcesses().filter(({ command }) => command.includes(folder));
}
