import { renameSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';

import { systemErrorCode } from '../pack-error.ts';
import { diskFull, makeTemporaryFolder, temporaryName } from './temporary-folder.ts';

/** The error codes with which Windows says that a folder exists. */
const WINDOWS_EXISTS = process.platform === 'win32' ? ['EPERM'] : [];

/**
 * Fills a new folder and renames it to `folder`, so that no process ever sees a half-written folder.
 * Several processes may do this at once: the last one wins.
 *
 * @returns what `fill` returned
 * @throws PackError if the disk is full, otherwise the error of `fill`. The old folder is then unchanged.
 */
export function replaceFolder<T>(folder: string, fill: (temporary: string) => T): T {
  const target = resolve(folder);
  const temporary = makeTemporaryFolder(target);
  try {
    const result = fill(temporary);
    swap(temporary, target);
    return result;
  } catch (error) {
    throw diskFull(error, target) ?? error;
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** A folder cannot be renamed to one that has content, so the old one is moved aside first. */
function swap(temporary: string, target: string): void {
  while (!renamed(temporary, target, ['ENOTEMPTY', 'EEXIST', ...WINDOWS_EXISTS])) {
    const aside = temporaryName(target);
    // ENOENT: another process has just moved it.
    if (renamed(target, aside, ['ENOENT'])) rmSync(aside, { recursive: true, force: true });
  }
}

/** False if it failed with one of the codes. */
function renamed(from: string, to: string, codes: string[]): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (codes.includes(systemErrorCode(error) ?? '')) return false;
    throw error;
  }
}
