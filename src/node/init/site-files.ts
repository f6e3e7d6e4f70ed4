import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { PROMPT_API } from '../../core/realms/page-api.ts';
import { notedVersion, VERSION } from '../../core/version.ts';
import {
  engineFiles,
  libraryFile,
  serviceWorkerFiles,
  withMaps,
  type UsedParts,
} from '../library-files.ts';
import { copyOver } from '../replace-file.ts';

/** A site may have scripts of its own with these names. */
const COMMON_NAMES = ['sw.js', 'engine.js', 'onnx.js'];

const ALL_PARTS = {
  webllm: true,
  speech: true,
  embeddings: true,
  llamacpp: true,
  llamacppGpu: true,
  pdf: true,
};

/** The scripts that pages without a bundler import, the service worker, and the engine. */
function siteFiles(parts: UsedParts): string[] {
  const scripts = ['slashv1.js', PROMPT_API, ...serviceWorkerFiles(parts)];
  return withMaps([...scripts, ...engineFiles(parts)]);
}

/**
 * Copies the library's files into a site's folder, and removes those of parts that are not chosen.
 *
 * @throws Error if the folder has a file of the same name that is not of slashv1; nothing is changed then
 */
export function copySiteFiles(folder: string, parts: UsedParts): void {
  const foreign = foreignFile(folder, siteFiles(parts));
  if (foreign !== undefined) throw new Error(foreignMessage(folder, foreign));
  mkdirSync(folder, { recursive: true });
  for (const file of outdatedFiles(folder, parts)) copyOver(libraryFile(file), join(folder, file));
  for (const file of unusedFiles(folder, parts)) rmSync(join(folder, file));
}

/**
 * The files that this command copied for parts that are no longer chosen. Files of an older version are known only if
 * they are scripts with a version note, and only if their name is not common: a site's own bundle may begin with our
 * note.
 */
export function unusedFiles(folder: string, parts: UsedParts): string[] {
  const used = new Set(siteFiles(parts));
  const all = new Set([true, false].flatMap((sw) => siteFiles({ ...ALL_PARTS, sw })));
  return [...all].filter((file) => {
    const path = join(folder, file);
    if (used.has(file) || !existsSync(path)) return false;
    const content = readFileSync(path);
    if (content.equals(readFileSync(libraryFile(file)))) return true;
    const isNoted = file.endsWith('.js') && notedVersion(content.toString()) !== undefined;
    return isNoted && !COMMON_NAMES.includes(file);
  });
}

/** The files that are missing, or that differ from those of this package. */
export function outdatedFiles(folder: string, parts: UsedParts): string[] {
  return siteFiles(parts).filter((file) => {
    const path = join(folder, file);
    return !existsSync(path) || !readFileSync(path).equals(readFileSync(libraryFile(file)));
  });
}

/** E.g. `sw.js is of slashv1 0.1.0`. */
export function describeOutdated(folder: string, file: string): string {
  const path = join(folder, file);
  if (!existsSync(path)) return `${file} is missing`;
  const version = file.endsWith('.js') ? notedVersion(readFileSync(path, 'utf8')) : undefined;
  const isOther = version !== undefined && version !== VERSION;
  return isOther ? `${file} is of slashv1 ${version}` : `${file} was changed`;
}

/** The first of these files that the folder has and that is not of slashv1. */
export function foreignFile(folder: string, files: string[]): string | undefined {
  const common = files.filter((file) => COMMON_NAMES.includes(file));
  return common.find((file) => isForeign(join(folder, file)));
}

/** Whether a file is not part of slashv1. Files of version 0.1 have no version note, but they mention slashv1. */
function isForeign(path: string): boolean {
  const content = existsSync(path) ? readFileSync(path, 'utf8') : '';
  return content !== '' && !content.includes('slashv1');
}

function foreignMessage(folder: string, file: string): string {
  const problem = `${join(folder, file)} is not of slashv1. Nothing was changed.`;
  if (file !== 'sw.js') return `${problem} Choose a folder of its own for slashv1.`;
  return (
    `${problem} A folder has one service worker: let yours call handle() of slashv1/sw, and run this command ` +
    'with --no-sw. docs/embed.md shows how.'
  );
}
