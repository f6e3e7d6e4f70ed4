import { UsageError } from './usage-error.ts';

/**
 * Runs a program to its end. Failures are printed; the exit code is 2 when the command was not
 * understood, 1 when it failed, 0 otherwise.
 */
export async function runProgram(program: () => Promise<void>): Promise<void> {
  // Whoever read what we log may be gone; that is no reason to end.
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
  // A mistake in the program: only its place helps.
  const isMistake = error instanceof TypeError || error instanceof RangeError;
  if (isMistake) return error.stack ?? error.message;
  return error instanceof UsageError ? `${error.message}\nTry --help.` : error.message;
}
