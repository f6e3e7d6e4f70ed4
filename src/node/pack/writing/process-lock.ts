import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

import { systemErrorCode } from '../pack-error.ts';

/**
 * Runs `work` while no other process of this user runs work of the same name. The lock is a local socket
 * on which its holder listens. The system closes the socket however the holder ends, so locks cannot become
 * stale and need no timers. The lock only avoids duplicate work: if sockets are forbidden, or if two
 * processes take over from a killed one at the same moment, both run.
 *
 * @param onWait - called if another process holds the lock
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
    // No process listens: a killed process has left the file behind.
    rmSync(path, { force: true });
  }
}

/** Resolves with a function that releases the lock, or with undefined if another process holds it. */
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

/** Resolves when the holder has released the lock: true if there was a holder. */
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
