import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ROOT } from '../../../scripts/build/stamp.ts';
import { freePort } from '../../support/servers/free-port.ts';

/** Folder of the engines' virtual environments; `npm run test:upstream` makes them. */
const ENVIRONMENTS = join(ROOT, '.cache/upstreams');

export interface Engine {
  /** Ends with `/v1`. */
  baseURL: string;
  close(): Promise<void>;
}

/**
 * Starts an engine's server and waits until it lists its models. Its processes end with `close`.
 *
 * @param name - of the virtual environment
 * @param argumentsFor - of Python, for a server at a port of 127.0.0.1
 * @throws Error with the end of its output if it ends
 */
export async function startEngine(
  name: string,
  argumentsFor: (port: number) => string[],
  env: Record<string, string> = {},
): Promise<Engine> {
  const port = await freePort();
  const child = spawn(join(ENVIRONMENTS, name, 'bin/python'), argumentsFor(port), {
    cwd: ROOT,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data: Buffer) => (output = (output + data.toString()).slice(-4_000)));
  }
  const exited = once(child, 'exit');
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  const baseURL = `http://127.0.0.1:${port}/v1`;
  while (!(await isReady(baseURL))) {
    if (!isRunning()) throw new Error(`${name} ended:\n${output}`);
    await pause(200);
  }
  return {
    baseURL,
    close: async () => {
      // The engines' servers end their own processes when they are asked to.
      child.kill('SIGTERM');
      await Promise.race([exited, pause(30_000)]);
      if (child.pid !== undefined && isRunning()) process.kill(-child.pid, 'SIGKILL');
      await exited;
    },
  };
}

async function isReady(baseURL: string): Promise<boolean> {
  const response = await fetch(`${baseURL}/models`).catch(() => undefined);
  await response?.body?.cancel();
  return response?.ok ?? false;
}
