import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished, vi } from 'vitest';
import type { Project } from '../../package/support/project.ts';
import { userEnvironment } from '../../package/support/run-in.ts';
import { freePort } from '../../support/servers/free-port.ts';

/** A server that a test can stop. */
export interface Preview {
  /** Without a slash at the end. */
  origin: string;
  port: string;
  /** Resolves when nothing listens any more. */
  stop: () => Promise<void>;
}

/**
 * Runs `npm run preview`, or `npm run dev`, of an example until the test ends.
 *
 * @param options - tell it the port
 */
export async function preview(
  { folder }: Project,
  options: (port: string) => string[],
  wanted?: string,
  script: 'preview' | 'dev' = 'preview',
): Promise<Preview> {
  const port = wanted ?? String(await freePort());
  const child = spawn('npm', ['run', script, '--', ...options(port)], {
    cwd: folder,
    env: userEnvironment(),
    stdio: 'ignore' as const,
    // A process group of its own: npm does not pass signals to the server.
    detached: true,
  });
  const ended = once(child, 'exit');
  const origin = `http://localhost:${port}`;
  const isReached = () =>
    fetch(origin).then(
      () => true,
      () => false,
    );
  const end = async () => {
    if (child.pid !== undefined) process.kill(-child.pid);
    await ended;
    await vi.waitUntil(async () => !(await isReached()));
  };
  let ending: Promise<void> | undefined;
  const stop = () => (ending ??= end());
  onTestFinished(stop);
  await vi.waitUntil(isReached, { timeout: 60_000, interval: 200 });
  return { origin, port, stop };
}
