import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';

/** A program and all processes that it starts. Only for Linux. */
export class ProcessGroup {
  readonly child: ChildProcess;
  readonly #onExit = () => this.#kill();

  constructor(program: string, args: string[], stdio: StdioOptions, env = process.env) {
    this.child = spawn(program, args, { env, stdio, detached: true });
    // If this process ends in the middle of a test, nothing is left behind.
    process.once('exit', this.#onExit);
  }

  /** Kills the group's processes that have a thread with this name. */
  killWithThread(name: string): void {
    const pids = globSync('/proc/[0-9]*/task/*/comm')
      .filter((path) => read(path).trimEnd() === name)
      .map((path) => Number(basename(dirname(dirname(dirname(path))))));
    for (const pid of new Set(pids)) {
      if (groupOf(pid) === this.child.pid) process.kill(pid, 'SIGKILL');
    }
  }

  /** Kills the whole group; returns when the program itself has ended. */
  async end(): Promise<void> {
    process.off('exit', this.#onExit);
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const exited = once(this.child, 'exit');
    this.#kill();
    await exited;
  }

  #kill(): void {
    if (this.child.pid !== undefined) process.kill(-this.child.pid, 'SIGKILL');
  }
}

/** The group of a process; undefined if the process has ended. */
function groupOf(pid: number): number | undefined {
  // https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html: the name may contain spaces.
  const [, , , group] = read(`/proc/${pid}/stat`)
    .replace(/\(.*\)/s, '')
    .split(/\s+/);
  return group === undefined ? undefined : Number(group);
}

/** The text of a file in /proc; empty if its process has ended. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
