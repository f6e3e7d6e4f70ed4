import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { PackError, systemErrorCode } from '../pack-error.ts';

/** Names of temporary folders: `.<name>.<process id>.<random>.tmp`. */
const TEMPORARY = /^\.(.+)\.(\d+)\.\d+\.tmp$/;

/**
 * Makes an empty folder next to `target`. It is on the same disk, so it can be renamed to `target`. Deletes
 * the temporary folders that killed processes left behind.
 */
export function makeTemporaryFolder(target: string): string {
  mkdirSync(dirname(target), { recursive: true });
  removeLeftovers(target);
  const folder = temporaryName(target);
  mkdirSync(folder);
  return folder;
}

/** An unused path next to `target`. */
export function temporaryName(target: string): string {
  const random = Math.floor(Math.random() * 1e9);
  return join(dirname(target), `.${basename(target)}.${process.pid}.${random}.tmp`);
}

/** A PackError if the error says that the disk is full, otherwise undefined. */
export function diskFull(error: unknown, folder: string): PackError | undefined {
  const code = systemErrorCode(error);
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return undefined;
  return new PackError(`No space left on the disk of ${folder}.`, { cause: error });
}

function removeLeftovers(target: string): void {
  for (const entry of readdirSync(dirname(target))) {
    const [, name, id] = TEMPORARY.exec(entry) ?? [];
    if (name === basename(target) && !isAlive(Number(id))) {
      rmSync(join(dirname(target), entry), { recursive: true, force: true });
    }
  }
}

function isAlive(processId: number): boolean {
  try {
    return process.kill(processId, 0);
  } catch (error) {
    // EPERM: it runs and belongs to another user.
    return systemErrorCode(error) === 'EPERM';
  }
}
