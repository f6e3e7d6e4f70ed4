import { constants, copyFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/** Writes a file in one step: a server never sends half of it, and a full disk leaves the old one. */
export function replaceFile(path: string, content: string): void {
  inOneStep(path, (temporary) => writeFileSync(temporary, content));
}

/** Copies a file in one step. */
export function copyOver(source: string, path: string): void {
  inOneStep(path, (temporary) => copyFileSync(source, temporary, constants.COPYFILE_FICLONE));
}

function inOneStep(path: string, write: (temporary: string) => void): void {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    write(temporary);
    renameSync(temporary, path);
  } finally {
    rmSync(temporary, { force: true });
  }
}
