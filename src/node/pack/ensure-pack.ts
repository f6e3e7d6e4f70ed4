import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { readPackFolder } from '../pack-files.ts';
import { withProcessLock } from './process-lock.ts';
import { MADE_FROM } from './write-pack.ts';

/** How a pack that the set-up step makes comes about. */
export interface PackRecipe {
  folder: string;
  /** Changes with anything that the pack is made from. */
  madeFrom: string;
  /** What is set up, for people, e.g. `the default model`. */
  what: string;
  log: (line: string) => void;
  /** Writes the folder, with `madeFrom` in a file MADE_FROM. */
  make: () => Promise<void>;
}

/**
 * Makes a pack if it is not there or was made from something else; waits where another process is
 * making it. Whatever fails, what was there stays; the next run begins anew.
 *
 * @returns its folder
 */
export async function ensurePack({
  folder,
  madeFrom,
  what,
  log,
  make,
}: PackRecipe): Promise<string> {
  if (isMadeFrom(folder, madeFrom)) return folder;
  const onWait = () => log(`Waiting for another process that sets up ${what} …`);
  await withProcessLock(folder, onWait, async () => {
    if (!isMadeFrom(folder, madeFrom)) await make();
  });
  return folder;
}

function isMadeFrom(folder: string, madeFrom: string): boolean {
  const stamp = join(folder, MADE_FROM);
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== madeFrom) return false;
  try {
    return readPackFolder(folder).files.length > 0;
  } catch {
    return false;
  }
}
