import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';

export interface RunningProcess {
  pid: number;
  /** Its arguments, separated by spaces. */
  command: string;
}

/** All processes of this machine, without zombies, which have ended. */
export function runningProcesses(): RunningProcess[] {
  // Small installations of Linux have no ps, other systems no /proc.
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
    // It has just ended.
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
