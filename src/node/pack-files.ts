import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import * as v from 'valibot';
import { manifestSchema, type PackManifest } from '../core/catalog/pack-manifest.ts';

/** A model pack on disk. All its files exist and have the right sizes. */
export interface PackFolder {
  /** Name of its folder below `packs/`. */
  name: string;
  path: string;
  /** Relative paths of the files of all variants, the manifest first. */
  files: string[];
}

function readManifest(path: string): PackManifest {
  const file = manifestOf(path);
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
  const { variants } = readManifest(path);
  // Variants may share files.
  const sizes = new Map(
    variants.flatMap(({ files }) => files.map((file) => [file.path, file.size])),
  );
  const problems = [...sizes].flatMap(([file, size]) => {
    const found = problem(join(path, file), size);
    return found ? [`${file} ${found}`] : [];
  });
  if (problems.length > 0) {
    throw new Error(`Model pack ${path} is incomplete: ${problems.join(', ')}. Make it again.`);
  }
  return {
    name: basename(path),
    path,
    files: ['manifest.json', ...sizes.keys()],
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

/**
 * Content of `packs/index.json`, which tells pages which packs are embedded. `manifests` repeats the manifest of each
 * pack, so that a first visit need not fetch them one by one.
 */
export function packsIndex(packs: PackFolder[]): string {
  const folder = ({ name }: PackFolder) => `${name}/`;
  const manifests = Object.fromEntries(
    packs.map((pack) => [folder(pack), JSON.parse(readFileSync(manifestOf(pack.path), 'utf8'))]),
  );
  return `${JSON.stringify({ packs: packs.map(folder), manifests })}\n`;
}

function manifestOf(pack: string): string {
  return join(pack, 'manifest.json');
}
