import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable, Writable } from 'node:stream';
import { webgpuFlags, type GpuMode } from '../../browser.ts';
import { DEBUGGING_PIPE, openOverPipe } from './debugging-pipe.ts';
import { TOKEN_VARIABLES } from '../options/upstream-options.ts';

/** A running browser. */
export interface Chromium {
  /** Resolves when the browser has ended, with the reason. */
  readonly exited: Promise<string>;
  /** The last errors that the page or the browser printed. */
  lastErrors(): string;
  /** Ends all its processes and deletes its profile. */
  stop(): Promise<void>;
}

export interface LaunchOptions {
  executable: string;
  gpu: GpuMode;
  /** May contain a secret: it is not passed as an argument. */
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
  // The page is never visible, but it must run at full speed.
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  // The page's console goes to stderr, where it says why a page failed.
  '--enable-logging=stderr',
  DEBUGGING_PIPE,
  // The page is opened over the pipe.
  '--no-startup-window',
];

/** This many of the last lines of the browser's output are kept. */
const KEPT_LINES = 200;

/** Starts a headless browser with a new profile, and opens the page. */
export function launchChromium({ executable, gpu, url }: LaunchOptions): Chromium {
  const folder = mkdtempSync(join(tmpdir(), 'slashv1-'));
  const child = spawn(
    executable,
    [...FLAGS, ...webgpuFlags(gpu), `--user-data-dir=${join(folder, 'profile')}`],
    // A process group of its own: Ctrl-C reaches only us, and one signal ends all its processes.
    {
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
      env: environment(folder),
    },
  );
  const lines = openPage(child, url);
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(`${executable} could not be started: ${error.message}`));
    // Processes that outlive it are of no use, and would keep its output open.
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
      // The browser's last process may still be writing.
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
      process.off('exit', removeAtExit);
    },
  };
}

/**
 * The environment of the browser, without tokens. The browser writes only into the folder, which is deleted afterwards.
 */
function environment(folder: string): NodeJS.ProcessEnv {
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary);
  const all = Object.entries(process.env);
  return {
    ...Object.fromEntries(all.filter(([name]) => !name.startsWith(TOKEN_VARIABLES))),
    TMPDIR: temporary,
    TMP: temporary,
    TEMP: temporary,
    XDG_CONFIG_HOME: join(folder, 'config'),
    XDG_CACHE_HOME: join(folder, 'cache'),
  };
}

/** Kills all of the browser's processes. SIGKILL is safe, because nothing in a temporary profile needs saving. */
function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  if (process.platform === 'win32') {
    spawnSync('taskkill', ['/pid', String(pid), '/T', '/F']);
    return;
  }
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // All processes have ended already.
  }
}

/** Opens the page. Returns the last lines of the browser's output and answers, as they arrive. */
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

/** Whether a line may say why the page failed. CONSOLE marks messages of the page; most others are harmless. */
function isError(line: string): boolean {
  return /:CONSOLE|FATAL|No usable sandbox|error while loading|^\{.*"error":/.test(line);
}
