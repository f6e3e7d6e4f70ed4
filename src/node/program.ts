import { UsageError } from './usage-error.ts';

/** A terminal's Ctrl-C, and how others ask a process to end. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs a command with a signal that aborts when the process is asked to end. Sets the exit code: 2 when
 * the command was not understood, 1 when it failed, 0 otherwise, also after a signal.
 */
export async function runProgram(command: (signal: AbortSignal) => Promise<void>): Promise<void> {
  // Whoever read what we log may be gone; that is no reason to end.
  process.stderr.on('error', () => {});
  const ending = new AbortController();
  // Who asks twice does not want to wait; what must be deleted is deleted at exit.
  const end = () => (ending.signal.aborted ? process.exit(130) : ending.abort());
  for (const signal of SIGNALS) process.on(signal, end);
  try {
    await command(ending.signal);
  } catch (error) {
    process.stderr.write(`slashv1: ${describe(error)}\n`);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  } finally {
    for (const signal of SIGNALS) process.off(signal, end);
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // A mistake in the program: only its place helps.
  if (error instanceof TypeError || error instanceof RangeError)
    return error.stack ?? error.message;
  return error instanceof UsageError ? `${error.message}\nTry --help.` : error.message;
}
