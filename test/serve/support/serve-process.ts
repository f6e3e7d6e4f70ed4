import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import { SITE } from '../../../scripts/build.ts';
import { runningProcesses, type RunningProcess } from '../../support/processes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const CLI = fileURLToPath(new URL('../../../src/node/cli.ts', import.meta.url));
const USUAL = ['serve', SITE, '--headless', '--port=0', '--api-port=0', '--gpu=software'];

// Deleted after all tests: a browser that has lost its command still writes for a while.
const FOLDER = temporaryFolder(afterAll);

/** `slashv1 serve` of our own site, in a process of its own, on free ports, in software. */
export function startServe(args: string[] = [], env: Record<string, string> = {}) {
  // All that it writes goes in there.
  const folder = mkdtempSync(join(FOLDER, 'serve-'));
  const child = spawn(process.execPath, [CLI, ...USUAL, ...args], {
    env: { ...process.env, TMPDIR: folder, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stderr = text(child.stderr);
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  const ended = once(child, 'close').then(async ([code]: (number | null)[]) => ({
    code,
    stderr: await stderr,
    leftFiles: readdirSync(folder),
    leftProcesses: processesOf(folder),
  }));
  return {
    /** What it printed. */
    lines,
    /** Its first line, or why there is none. */
    async ready(): Promise<string> {
      const failed = ended.then((end) => Promise.reject(new Error(`It ended: ${end.stderr}`)));
      const [line]: string[] = await Promise.race([once(reader, 'line'), failed]);
      return line ?? '';
    },
    /** Processes of the browser. */
    browser: () => processesOf(folder),
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    /** When it has ended: how, and what is left of it. */
    ended,
  };
}

/** All processes that have this folder in their command line. */
function processesOf(folder: string): RunningProcess[] {
  return runningProcesses().filter(({ command }) => command.includes(folder));
}
