import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { readPackFolder } from '../../pack-files.ts';
import { withProcessLock } from './process-lock.ts';
import { MADE_FROM } from './write-pack.ts';

/** How the set-up step makes a pack. */
export interface PackRecipe {
  folder: string;
  /** Changes when any input of the pack changes. */
  madeFrom: string;
  /** What is set up, in words for people, e.g. `the default model`. */
  what: string;
  log: (line: string) => void;
  /** Writes the folder, with `madeFrom` in the file MADE_FROM. */
  make: () => Promise<void>;
}

/**
 * Makes a pack if it is missing or was made from other inputs. If another process is making it, waits. If
 * anything fails, the old pack stays, and the next run starts again.
 *
 * @returns the pack's folder
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
