import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';

export interface RunningProcess {
  pid: number;
  /** The arguments, separated by spaces. */
  command: string;
}

/** All processes of this machine, except zombies, which have ended. */
export function runningProcesses(): RunningProcess[] {
  // Small Linux installations have no ps, and other systems have no /proc.
  return existsSync('/proc/self/cmdline') ? fromProc() : fromPs();
}

function fromProc(): RunningProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), command: commandOf(name) }))
    .filter(({ command }) => command !== '');
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    // The process has just ended.
    return '';
  }
}

function fromPs(): RunningProcess[] {
  const list = execFileSync('ps', ['-axo', 'pid=,stat=,args='], { encoding: 'utf8' });
  return list.split('\n').flatMap((line) => {
    const [, pid, state = '', command = ''] = /^\s*(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    return pid && !state.startsWith('Z') ? [{ pid: Number(pid), command }] : [];
  });
}
