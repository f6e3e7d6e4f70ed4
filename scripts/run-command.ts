import { spawn, type ChildProcess } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { ROOT } from './stamp.ts';

export interface CommandOptions {
  /** Beside this process's own environment. */
  env?: Record<string, string>;
  /** Keep what it prints instead of letting it through. */
  quiet?: boolean;
  /** Let all it prints through to stderr: stdout belongs to what is run next. */
  toStderr?: boolean;
}

export interface CommandEnd {
  /** Exit code; 128 where a signal ended it. */
  code: number;
  /** Both streams, if quiet. */
  output: string;
  /** Without what Node itself may say on stderr, if quiet. */
  stdout: string;
}

const running = new Set<ChildProcess>();
/** The signal that asked this process to end. */
let asked: NodeJS.Signals | undefined;

function stop(signal: NodeJS.Signals): void {
  asked = signal;
  for (const child of running) child.kill(signal);
}

/** The handlers are there before the command is: a signal in between would end this process alone. */
function start(begin: () => ChildProcess): ChildProcess {
  if (running.size === 0) process.on('SIGTERM', stop).on('SIGINT', stop);
  const child = begin();
  running.add(child);
  return child;
}

/** Once the last one has ended after a signal, this process ends by it too. */
function ended(child: ChildProcess): void {
  running.delete(child);
  if (running.size > 0) return;
  process.off('SIGTERM', stop).off('SIGINT', stop);
  if (asked) process.kill(process.pid, asked);
}

/** Runs a program in the repository, without input; ends it when this process is asked to end. */
export async function runCommand(
  command: string,
  commandArguments: string[],
  { env = {}, quiet = false, toStderr = false }: CommandOptions = {},
): Promise<CommandEnd> {
  const output = quiet ? 'pipe' : 'inherit';
  const stdout = toStderr ? process.stderr : output;
  const child = start(() =>
    spawn(command, commandArguments, {
      cwd: ROOT,
      env: { ...process.env, ...env },
      stdio: ['ignore', stdout, output],
    }),
  );
  const code = new Promise<number>((resolve, reject) => {
    child.once('error', reject).once('close', (exitCode) => resolve(exitCode ?? 128));
  }).finally(() => ended(child));
  const streams = [child.stdout, child.stderr].map((stream) => (stream ? text(stream) : ''));
  const [end, printed = '', ...texts] = await Promise.all([code, ...streams]);
  return { code: end, output: [printed, ...texts].join(''), stdout: printed };
}
