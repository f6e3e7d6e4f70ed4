import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable, Writable } from 'node:stream';
import { webgpuFlags, type GpuMode } from '../browser.ts';
import { DEBUGGING_PIPE, openOverPipe } from './debugging-pipe.ts';

/** A running browser. */
export interface Chromium {
  /** Resolves, when it has ended by whatever cause, with how it did. */
  readonly exited: Promise<string>;
  /** The errors it printed last: those of the page, and its own. */
  lastErrors(): string;
  /** Ends it with all its processes and deletes its profile. */
  stop(): Promise<void>;
}

export interface LaunchOptions {
  executable: string;
  gpu: GpuMode;
  /** May hold a secret: it is no argument of the process. */
  url: string;
}

const FLAGS = [
  '--headless=new',
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-extensions',
  '--disable-sync',
  '--disable-breakpad',
  '--password-store=basic',
  '--use-mock-keychain',
  // Nobody looks at the page, but it is to work at full speed.
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  // What the page logs goes to stderr, where we can find out why it failed.
  '--enable-logging=stderr',
  DEBUGGING_PIPE,
  // The first window is the one that is asked for over the pipe.
  '--no-startup-window',
];

/** How many of the last lines of the browser's output are kept. */
const KEPT_LINES = 200;

/** Starts a headless browser with the page, in a profile of its own. */
export function launchChromium({ executable, gpu, url }: LaunchOptions): Chromium {
  const folder = mkdtempSync(join(tmpdir(), 'slashv1-'));
  const child = spawn(
    executable,
    [...FLAGS, ...webgpuFlags(gpu), `--user-data-dir=${join(folder, 'profile')}`],
    // A process group of its own: a Ctrl-C is ours to answer, and we can end all of it at once.
    {
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
      env: environment(folder),
    },
  );
  const lines = openPage(child, url);
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(`${executable} could not be started: ${error.message}`));
    // What it leaves behind would be of no use, and keeps its output open.
    child.once('exit', () => killGroup(child));
    child.once('close', (code, signal) =>
      resolve(`Chromium ended (${signal ?? `exit code ${code}`}).`),
    );
  });
  const removeAtExit = () => {
    killGroup(child);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  process.once('exit', removeAtExit);
  return {
    exited,
    lastErrors: () => lines.filter(isError).slice(-10).join('\n'),
    async stop() {
      killGroup(child);
      await exited;
      // The last of its processes may still be writing.
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
      process.off('exit', removeAtExit);
    },
  };
}

/** All that it writes goes into the folder that we delete. */
function environment(folder: string): NodeJS.ProcessEnv {
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary);
  return {
    ...process.env,
    TMPDIR: temporary,
    TMP: temporary,
    TEMP: temporary,
    XDG_CONFIG_HOME: join(folder, 'config'),
    XDG_CACHE_HOME: join(folder, 'cache'),
  };
}

/** SIGKILL: nothing of a temporary profile is worth saving. */
function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  if (process.platform === 'win32') {
    spawnSync('taskkill', ['/pid', String(pid), '/T', '/F']);
    return;
  }
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // They have all ended already.
  }
}

/** Opens the page, and keeps the last lines that the browser prints or answers. */
function openPage({ stdio }: ChildProcess, url: string): string[] {
  const [, , output, commands, answers] = stdio;
  const lines: string[] = [];
  const keep = (line: string) => {
    lines.push(line);
    lines.splice(0, lines.length - KEPT_LINES);
  };
  if (output) createInterface({ input: output }).on('line', keep);
  if (commands instanceof Writable && answers instanceof Readable) {
    openOverPipe(url, { commands, answers }, keep);
  }
  return lines;
}

/** Chromium logs much that is nobody's failure; the page's own messages are marked CONSOLE. */
function isError(line: string): boolean {
  return /:CONSOLE|FATAL|No usable sandbox|error while loading|^\{.*"error":/.test(line);
}
