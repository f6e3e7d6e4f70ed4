import { spawn } from 'node:child_process';

import { PackError } from '../pack-error.ts';

const NETWORK =
  /connection broken|ConnectionError|Connection(Reset|Refused|Aborted)|ProxyError|IncompleteRead|timed out|ReadTimeout|SSLError|ENOTFOUND|EAI_AGAIN|ECONN(RESET|REFUSED)|ETIMEDOUT/i;

/** This many of the last lines of a command's output go into an error message. */
const TAIL = 3;

/**
 * Runs a program to its end. Its progress bars are shown if there is a terminal.
 *
 * @returns its exit code, and what it wrote to standard error
 */
export function runTool(
  command: string,
  args: string[],
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    // Standard output is only for the result of this program.
    const stdout = process.stderr.isTTY ? process.stderr : 'ignore';
    // On Windows npm is a batch file, which only a shell can start.
    const shell = process.platform === 'win32' && command === 'npm';
    const child = spawn(command, args, { stdio: ['ignore', stdout, 'pipe'], shell });
    let output = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output }));
  });
}

export function outputTail(output: string): string {
  return output.trim().split('\n').slice(-TAIL).join('\n');
}

/** A PackError if the output says that the disk is full. */
export function noSpace(output: string, folder: string): PackError | undefined {
  if (!/No space left on device|Disk quota exceeded|ENOSPC|EDQUOT/.test(output)) return undefined;
  return new PackError(
    `No space left on the disk of ${folder}, or in the folder of temporary files.`,
  );
}

/** A PackError if the output says that the network failed. */
export function networkFailure(command: string, output: string): PackError | undefined {
  if (!NETWORK.test(output)) return undefined;
  return new PackError(
    'The network is down, or the package index cannot be reached (`python3 -m pip config list` and ' +
      '`npm config get registry` show which one). Nothing is lost. Try again.\n' +
      `\`${command}\` said:\n${outputTail(output)}`,
  );
}
