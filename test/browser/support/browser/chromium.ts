import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { findChromium, webgpuFlags } from '../../../../src/node/browser.ts';
import { makeTempFolder, removeTempFolder } from '../storage/temp-folder.ts';

/** What a browser computes graphics with. */
export interface Graphics {
  /** Command-line switches. */
  flags: string[];
  /** The program, if it is not the browser that is usually found. */
  path?: string;
  /** Environment variables. */
  env?: Record<string, string>;
}

/** A running browser without a DevTools client. */
export interface Chromium {
  /** URL of its DevTools protocol's WebSocket. */
  endpoint: string;
  close(): Promise<void>;
}

/**
 * Starts a browser with a new profile.
 *
 * @param flags - additional command-line switches
 * @param graphics - default: a WebGPU adapter that runs on the CPU
 */
export async function launchChromium(
  flags: string[] = [],
  { path, env, flags: gpu }: Graphics = { flags: webgpuFlags('software') },
): Promise<Chromium> {
  const folder = makeTempFolder('chromium');
  const child = spawn(
    path ?? findChromium(),
    [
      '--headless=new',
      '--no-first-run',
      '--remote-debugging-port=0',
      `--user-data-dir=${folder}`,
      ...gpu,
      ...flags,
      'about:blank',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'], detached: true, env: { ...process.env, ...env } },
  );
  const exited = once(child, 'exit');
  const close = async () => {
    if (child.pid) process.kill(-child.pid, 'SIGKILL');
    await exited;
    removeTempFolder(folder);
  };
  return { endpoint: await endpointOf(child), close };
}

function endpointOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.once('exit', (code) => reject(new Error(`Chromium ended with ${code}: ${text}`)));
    child.stderr?.on('data', (data: Buffer) => {
      text += data.toString();
      const [, url] = /DevTools listening on (ws:\S+)/.exec(text) ?? [];
      if (url) resolve(url);
    });
  });
}
