import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import * as v from 'valibot';
import { manifestSchema } from '../core/stores/catalog-entry.ts';

/** A model pack on disk. All its files exist and have the right sizes. */
export interface PackFolder {
  /** Name of its folder below `packs/`. */
  name: string;
  path: string;
  /** Relative paths, the manifest first. */
  files: string[];
}

function readManifest(path: string): v.InferOutput<typeof manifestSchema> {
  const file = join(path, 'manifest.json');
  if (!existsSync(path)) throw new Error(`Model pack ${path} does not exist.`);
  if (!existsSync(file)) throw new Error(`Model pack ${path} has no manifest.json.`);
  try {
    return v.parse(manifestSchema, JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new Error(`${file} is not a manifest of a model pack: ${String(error)}`, {
      cause: error,
    });
  }
}

/** What is wrong with a file of a pack, or undefined. Hashes are checked when weights are loaded. */
function problem(path: string, size: number): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats?.isFile()) return 'is missing';
  if (stats.size !== size) return `has ${stats.size} bytes instead of ${size}`;
  return undefined;
}

/** Reads and checks a pack's folder. @throws Error that names everything that is wrong with it */
export function readPackFolder(folder: string): PackFolder {
  const path = resolve(folder);
  const manifest = readManifest(path);
  const problems = manifest.files.flatMap((file) => {
    const found = problem(join(path, file.path), file.size);
    return found ? [`${file.path} ${found}`] : [];
  });
  if (problems.length > 0) {
    throw new Error(`Model pack ${path} is incomplete: ${problems.join(', ')}. Make it again.`);
  }
  return {
    name: basename(path),
    path,
    files: ['manifest.json', ...manifest.files.map((file) => file.path)],
  };
}

/** Reads several packs. The first is the default model. The names of their folders must differ. */
export function readPackFolders(folders: string[]): PackFolder[] {
  const packs = folders.map(readPackFolder);
  const twice = packs.find(
    (pack, index) => packs.findIndex(({ name }) => name === pack.name) < index,
  );
  if (twice) throw new Error(`Two model packs are in folders of the same name, "${twice.name}".`);
  return packs;
}

/** Content of `packs/index.json`, which tells pages which packs are embedded. */
export function packsIndex(packs: PackFolder[]): string {
  return `${JSON.stringify({ packs: packs.map(({ name }) => `${name}/`) })}\n`;
}
