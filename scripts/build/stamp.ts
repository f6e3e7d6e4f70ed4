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
import { withProcessLock } from '../../src/node/pack/writing/process-lock.ts';

/** Path of the repository. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A build step that is skipped if its outputs exist and its inputs have not changed. */
export interface Step {
  /** Name of the step, e.g. `sw.js`. */
  name: string;
  /** Files and folders that determine the outputs, relative to the repository. */
  inputs: string[];
  /** Anything else that determines the outputs, as a JSON value. */
  options?: unknown;
  /** Files and folders that the step makes, relative to the repository. */
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

/** A hash of the inputs' contents. File times are useless, because a checkout gives every file a new one. */
function fingerprint({ inputs, options }: Step, root: string): string {
  const hash = createHash('sha256').update(JSON.stringify(options ?? null));
  for (const file of inputs.flatMap((input) => filesUnder(join(root, input)))) {
    hash.update(`\0${relative(root, file)}\0`).update(readFileSync(file));
  }
  return hash.digest('hex');
}

function isMade({ name, outputs }: Step, wanted: string, root: string): boolean {
  const stamp = stampPath(name, root);
  const present = outputs.every((output) => existsSync(join(root, output)));
  return present && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted;
}

function stampPath(name: string, root: string): string {
  return join(root, 'dist/.stamps', name);
}

/**
 * Runs a step if an output is missing or was made from other inputs. Waits while another process runs the
 * same step. Returns whether the step was run.
 */
export async function makeIfChanged(step: Step, root = ROOT): Promise<boolean> {
  const wanted = fingerprint(step, root);
  if (isMade(step, wanted, root)) return false;
  const stamp = stampPath(step.name, root);
  const onWait = () => process.stderr.write(`Another process is building ${step.name} …\n`);
  return withProcessLock(stamp, onWait, async () => {
    if (isMade(step, wanted, root)) return false;
    // The stamp is missing while the step runs, so an interrupted step is run again.
    rmSync(stamp, { force: true });
    await step.make();
    mkdirSync(dirname(stamp), { recursive: true });
    writeFileSync(stamp, wanted);
    return true;
  });
}
