import { readdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import { HASHED_PIECE, type PackFile } from '../../../core/catalog/pack-file.ts';
import type { PackManifest, PackVariant } from '../../../core/catalog/pack-manifest.ts';
import { openByteSource, type ByteSource } from '../sources/byte-source.ts';
import { sha256, sha256OfSource } from './hash.ts';

export const MANIFEST = 'manifest.json';

/** Files above this size get a hash for each piece, because browsers cannot well hash them all at once; bytes. */
const LARGE = 32 * 1024 * 1024;

/** What the manifest says of the model and its variants. */
export type PackFacts = WithoutVersion<PackManifest>;
type WithoutVersion<T> = T extends unknown ? Omit<T, 'format' | 'version'> : never;

/**
 * The files of a variant, and their revision.
 *
 * @param paths - relative to the folder, "/" separated; default: every file in it, at any depth
 */
export function variantFiles(
  folder: string,
  paths = listFiles(folder),
): Pick<PackVariant, 'revision' | 'files'> {
  const files = paths.toSorted().map((path) => describeFile(folder, path));
  return { revision: revisionOf(files), files };
}

/** Writes the manifest of a folder that has the files of all variants. */
export function writeManifest(folder: string, facts: PackFacts): PackManifest {
  const manifest: PackManifest = { format: 'slashv1-pack', version: 1, ...facts };
  writeFileSync(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
  return manifest;
}

function listFiles(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
}

function describeFile(folder: string, path: string): PackFile {
  const source = openByteSource(join(folder, path));
  try {
    const pieces = source.size > LARGE && { pieces: pieceHashes(source) };
    return { path, size: source.size, sha256: sha256OfSource(source), ...pieces };
  } finally {
    source.close();
  }
}

function pieceHashes(source: ByteSource): string[] {
  const { size } = source;
  const starts = Array.from({ length: Math.ceil(size / HASHED_PIECE) }, (_, n) => n * HASHED_PIECE);
  return starts.map((start) => sha256(source.read(start, Math.min(HASHED_PIECE, size - start))));
}

/** Changes when any byte of any file changes. */
function revisionOf(files: PackFile[]): string {
  return sha256(files.map((file) => `${file.sha256} ${file.size} ${file.path}\n`).join(''));
}
