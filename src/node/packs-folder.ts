import { constants, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import * as v from 'valibot';
import { replaceFolder } from './pack/writing/replace-folder.ts';
import { packsIndex, readPackFolder, readPackFolders, type PackFolder } from './pack-files.ts';
import { replaceFile } from './replace-file.ts';

const INDEX = 'index.json';
const MANIFEST = 'manifest.json';

/** Copies a pack into a site's folder of packs, under its own name. Returns its place there. */
export function copyPack({ name, path, files }: PackFolder, packsFolder: string): string {
  const target = join(packsFolder, name);
  if (resolve(target) === path || hasPack(target, path)) return target;
  replaceFolder(target, (temporary) => {
    for (const file of files) {
      mkdirSync(dirname(join(temporary, file)), { recursive: true });
      copyFileSync(join(path, file), join(temporary, file), constants.COPYFILE_FICLONE);
    }
  });
  return target;
}

/** Whether a folder has the same pack, complete. */
export function hasPack(folder: string, source: string): boolean {
  const manifest = (of: string) => readFileSync(join(of, MANIFEST), 'utf8');
  try {
    return readPackFolder(folder).files.length > 0 && manifest(folder) === manifest(source);
  } catch {
    return false;
  }
}

/**
 * Lists all packs of the folder in its `index.json`: the named ones first, then the others in the order in
 * which they were listed.
 */
export function writePacksIndex(packsFolder: string, first: string[] = []): PackFolder[] {
  const packs = listedPacks(packsFolder, first);
  mkdirSync(packsFolder, { recursive: true });
  replaceFile(join(packsFolder, INDEX), packsIndex(packs));
  return packs;
}

/** Whether `index.json` lists exactly the packs of the folder. */
export function isIndexCurrent(packsFolder: string, first: string[]): boolean {
  const path = join(packsFolder, INDEX);
  if (!existsSync(path)) return false;
  return readFileSync(path, 'utf8') === packsIndex(listedPacks(packsFolder, first));
}

/** The names of the folders that have a manifest. */
export function packNames(packsFolder: string): string[] {
  if (!existsSync(packsFolder)) return [];
  return readdirSync(packsFolder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .filter((name) => existsSync(join(packsFolder, name, MANIFEST)))
    .sort();
}

function listedPacks(packsFolder: string, first: string[]): PackFolder[] {
  const present = packNames(packsFolder);
  const names = new Set([...first, ...listedBefore(packsFolder), ...present]);
  return readPackFolders(
    [...names].filter((name) => present.includes(name)).map((name) => join(packsFolder, name)),
  );
}

const indexSchema = v.object({
  packs: v.array(v.string()),
  all: v.optional(v.array(v.string())),
});

/** An index that cannot be read lists nothing: it is written again. */
function listedBefore(packsFolder: string): string[] {
  try {
    const text = readFileSync(join(packsFolder, INDEX), 'utf8');
    const { packs, all = packs } = v.parse(indexSchema, JSON.parse(text));
    return all.map((folder) => folder.replace(/\/$/, ''));
  } catch {
    return [];
  }
}
