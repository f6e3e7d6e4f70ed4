import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findChromium, webgpuFlags } from '../../../src/node/browser.ts';

/** A browser that nothing is attached to yet. */
export interface Chromium {
  /** WebSocket of its DevTools protocol. */
  endpoint: string;
  close(): Promise<void>;
}

/**
 * Begins one with a profile of its own; its WebGPU adapter runs on the CPU.
 *
 * @param flags - command-line switches beside the usual ones
 */
export async function launchChromium(flags: string[] = []): Promise<Chromium> {
  const folder = mkdtempSync(join(tmpdir(), 'slashv1-chromium-'));
  const child = spawn(
    findChromium(),
    [
      '--headless=new',
      '--no-first-run',
      '--remote-debugging-port=0',
      `--user-data-dir=${folder}`,
      ...webgpuFlags('software'),
      ...flags,
      'about:blank',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'], detached: true },
  );
  const exited = once(child, 'exit');
  const close = async () => {
    if (child.pid) process.kill(-child.pid, 'SIGKILL');
    await exited;
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
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
