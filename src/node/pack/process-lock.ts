import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

import { systemErrorCode } from './pack-error.ts';

/**
 * Runs `work` while no other process of this user runs work of the same name. The lock is a local
 * socket that the holder listens on: the system closes it when the holder ends, however it ends, so
 * there are no stale locks and no timers. It only saves work: where sockets are forbidden, or two
 * processes take over from a dead one in the same instant, both work.
 *
 * @param onWait - called when another process is at it
 */
export async function withProcessLock<T>(
  name: string,
  onWait: () => void,
  work: () => Promise<T>,
): Promise<T> {
  const release = await acquire(socketPath(name), onWait);
  try {
    return await work();
  } finally {
    release();
  }
}

async function acquire(path: string, onWait: () => void): Promise<() => void> {
  while (true) {
    const release = await listen(path);
    if (release) return release;
    if (await waitForHolder(path, onWait)) continue;
    // Nobody listens: the file is what a killed process left.
    rmSync(path, { force: true });
  }
}

/** Resolves with what closes the socket, or undefined if it is taken. */
function listen(path: string): Promise<(() => void) | undefined> {
  return new Promise((resolve) => {
    const waiting = new Set<Socket>();
    const server = createServer((socket) => waiting.add(socket.on('error', () => {})));
    server.once('error', (error) => {
      resolve(systemErrorCode(error) === 'EADDRINUSE' ? undefined : () => {});
    });
    server.listen(path, () =>
      resolve(() => {
        server.close();
        for (const socket of waiting) socket.destroy();
      }),
    );
  });
}

/** Resolves when the holder lets go: true if there was one. */
function waitForHolder(path: string, onWait: () => void): Promise<boolean> {
  return new Promise((resolve) => {
    let connected = false;
    const socket = connect(path, () => {
      connected = true;
      onWait();
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(connected));
    socket.resume();
  });
}

function socketPath(name: string): string {
  const id = createHash('sha256').update(`${userInfo().uid}\0${name}`).digest('hex').slice(0, 16);
  return process.platform === 'win32'
    ? `\\\\.\\pipe\\slashv1-${id}`
    : join(tmpdir(), `slashv1-${id}.lock`);
}
