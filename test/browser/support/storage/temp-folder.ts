import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs with a new folder and removes it afterwards. */
export async function withTempFolder<T>(
  name: string,
  use: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = makeTempFolder(name);
  try {
    return await use(folder);
  } finally {
    removeTempFolder(folder);
  }
}

export function makeTempFolder(name: string): string {
  return mkdtempSync(join(tmpdir(), `slashv1-${name}-`));
}

export function removeTempFolder(folder: string): void {
  // A browser that has just ended may still be writing.
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}
