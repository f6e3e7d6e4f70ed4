import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { ROOT } from './stamp.ts';

export interface CommandOptions {
  /** Beside this process's own environment. */
  env?: Record<string, string>;
  /** Keep what it prints instead of letting it through. */
  quiet?: boolean;
}

export interface CommandEnd {
  /** Exit code; 128 where a signal ended it. */
  code: number;
  /** Both streams, if quiet. */
  output: string;
}

/** Runs a program in the repository, without input; ends it when this process is asked to end. */
export async function runCommand(
  command: string,
  commandArguments: string[],
  { env = {}, quiet = false }: CommandOptions = {},
): Promise<CommandEnd> {
  const child = spawn(command, commandArguments, {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['ignore', quiet ? 'pipe' : 'inherit', quiet ? 'pipe' : 'inherit'],
  });
  const stop = (signal: NodeJS.Signals) => child.kill(signal);
  process.on('SIGTERM', stop).on('SIGINT', stop);
  const code = new Promise<number>((resolve, reject) => {
    child.once('error', reject).once('close', (exitCode) => resolve(exitCode ?? 128));
  });
  const streams = [child.stdout, child.stderr].map((stream) => (stream ? text(stream) : ''));
  const [end, ...output] = await Promise.all([code, ...streams]);
  process.off('SIGTERM', stop).off('SIGINT', stop);
  return { code: end, output: output.join('') };
}
