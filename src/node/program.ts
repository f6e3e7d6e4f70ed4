import { UsageError } from './command-line.ts';

/**
 * Runs a program to its end, and prints its error if it fails. The exit code is 2 for a wrong command line,
 * 1 for any other failure, otherwise 0.
 */
export async function runProgram(program: () => Promise<void>): Promise<void> {
  // The reader of stderr may have closed it. The program continues.
  process.stderr.on('error', () => {});
  try {
    await program();
  } catch (error) {
    process.stderr.write(`slashv1: ${describe(error)}\n`);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // A bug in the program: the stack says where.
  const isMistake = error instanceof TypeError || error instanceof RangeError;
  if (isMistake) return error.stack ?? error.message;
  return error instanceof UsageError ? `${error.message}\nTry --help.` : error.message;
}
