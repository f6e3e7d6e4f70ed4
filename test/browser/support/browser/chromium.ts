import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { findChromium, webgpuFlags } from '../../../../src/node/browser.ts';
import { makeTempFolder, removeTempFolder } from '../storage/temp-folder.ts';

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
 * @param gpu - switches that choose the GPU; default: a WebGPU adapter that runs on the CPU
 */
export async function launchChromium(
  flags: string[] = [],
  gpu = webgpuFlags('software'),
): Promise<Chromium> {
  const folder = makeTempFolder('chromium');
  const child = spawn(
    findChromium(),
    [
      '--headless=new',
      '--no-first-run',
      '--remote-debugging-port=0',
      `--user-data-dir=${folder}`,
      ...gpu,
      ...flags,
      'about:blank',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'], detached: true },
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
