import { spawn, type ChildProcess } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { ROOT } from './build/stamp.ts';

export interface CommandOptions {
  /** Added to this process's environment. */
  env?: Record<string, string>;
  /** Collect the output instead of showing it. */
  quiet?: boolean;
  /** Show all output on stderr, because stdout belongs to the program that runs next. */
  toStderr?: boolean;
}

export interface CommandEnd {
  /** Exit code; 128 if a signal ended the command. */
  code: number;
  /** Both streams, if `quiet`; stdout comes first. */
  output: string;
  /** Only stdout, if `quiet`: stderr may contain warnings of Node itself. */
  stdout: string;
}

const running = new Set<ChildProcess>();
/** The signal that this process has received. */
let received: NodeJS.Signals | undefined;

function stop(signal: NodeJS.Signals): void {
  received = signal;
  for (const child of running) child.kill(signal);
}

/** The handlers are set before the child exists: a signal in between would end this process alone. */
function startChild(spawnChild: () => ChildProcess): ChildProcess {
  if (running.size === 0) process.on('SIGTERM', stop).on('SIGINT', stop);
  const child = spawnChild();
  running.add(child);
  return child;
}

/** After a signal, this process ends by the same signal when its last child has ended. */
function forgetChild(child: ChildProcess): void {
  running.delete(child);
  if (running.size > 0) return;
  process.off('SIGTERM', stop).off('SIGINT', stop);
  if (received) process.kill(process.pid, received);
}

/**
 * Runs a program in the repository's folder, without input. SIGTERM and SIGINT to this process end the
 * program first. Rejects if the program cannot be started.
 */
export async function runCommand(
  command: string,
  commandArguments: string[],
  { env = {}, quiet = false, toStderr = false }: CommandOptions = {},
): Promise<CommandEnd> {
  const output = quiet ? 'pipe' : 'inherit';
  const stdout = toStderr ? process.stderr : output;
  const child = startChild(() =>
    spawn(command, commandArguments, {
      cwd: ROOT,
      env: { ...process.env, ...env },
      stdio: ['ignore', stdout, output],
    }),
  );
  const code = new Promise<number>((resolve, reject) => {
    child.once('error', reject).once('close', (exitCode) => resolve(exitCode ?? 128));
  }).finally(() => forgetChild(child));
  const streams = [child.stdout, child.stderr].map((stream) => (stream ? text(stream) : ''));
  const [end, printed = '', ...texts] = await Promise.all([code, ...streams]);
  return { code: end, output: [printed, ...texts].join(''), stdout: printed };
}
