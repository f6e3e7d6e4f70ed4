import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/**
 * Makes an empty folder that is deleted after the test.
 *
 * @param after - when to delete it; `afterAll` for a folder that the tests of a file share
 */
export function temporaryFolder(after: (remove: () => void) => void = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), 'slashv1-test-'));
  // A browser that has just been killed may still be writing.
  after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
  return folder;
}
