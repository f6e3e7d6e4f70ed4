import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url));

export interface Step {
  /** What the build calls it, e.g. `sw.js`. */
  name: string;
  /** Files and folders that decide what comes out, relative to the repository. */
  inputs: string[];
  /** Anything else that does. */
  options?: unknown;
  /** What comes out, relative to the repository. */
  outputs: string[];
  make(): Promise<void>;
}

function filesUnder(path: string): string[] {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** By content, not by time: a checkout gives every file a new time. */
function fingerprint({ inputs, options }: Step, root: string): string {
  const hash = createHash('sha256').update(JSON.stringify(options ?? null));
  for (const file of inputs.flatMap((input) => filesUnder(join(root, input)))) {
    hash.update(`\0${relative(root, file)}\0`).update(readFileSync(file));
  }
  return hash.digest('hex');
}

/** Makes what is missing or was made from other inputs. True if it had to. */
export async function makeIfChanged(step: Step, root = ROOT): Promise<boolean> {
  const stamp = join(root, 'dist/.stamps', step.name);
  const wanted = fingerprint(step, root);
  const present = step.outputs.every((output) => existsSync(join(root, output)));
  if (present && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return false;
  // Without a stamp while it is being made: an interrupted build starts anew.
  rmSync(stamp, { force: true });
  await step.make();
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, wanted);
  return true;
}
