import { statSync } from 'node:fs';

import { openByteSource } from '../sources/byte-source.ts';
import type { Checkpoint } from './checkpoint.ts';
import { ggufCheckpoint } from './gguf-checkpoint.ts';
import { PackError } from '../pack-error.ts';
import { snapshotCheckpoint } from './snapshot-checkpoint.ts';

/**
 * @param path - a GGUF file, or the folder of a model from the hub
 * @throws GgufError or PackError if it is neither, is damaged, or is a model that is not supported
 */
export async function openCheckpoint(path: string): Promise<Checkpoint> {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) throw new PackError(`There is no file or folder ${path}.`);
  return stats.isDirectory() ? snapshotCheckpoint(path) : ggufCheckpoint(openByteSource(path));
}
