import { bestProjector, isProjector } from './gguf-projector.ts';
import { namedQuantization, quantizationRank } from './gguf-quantization.ts';
import { ggufStem, splitParts } from './gguf-split.ts';

interface RepositoryFile {
  path: string;
  /** Bytes. */
  size: number;
}

/** A model in a repository: a file, or all parts of one. */
export interface Candidate<F extends RepositoryFile = RepositoryFile> {
  /** Path of its first part. */
  path: string;
  parts: F[];
  /** The projector, which turns images into tokens of the model; undefined: the model has none. */
  projector: F | undefined;
  /** Size of all parts and the projector, bytes. */
  bytes: number;
  /** The quantisation in the file's name. */
  quantization: string | undefined;
  /** Path of a part that the repository lacks. */
  missing: string | undefined;
}

/** Names of files that belong to a model, but are not one. */
const NOT_A_MODEL = /(^|[^a-z])(mmproj|imatrix|lora|adapter|vocab)([^a-z]|$)/i;

/** Whether a file of a repository is a GGUF model, a part of one, or a projector of one. */
export function isGgufPart(path: string): boolean {
  return isGgufModel(path) || isProjector(path);
}

function isGgufModel(path: string): boolean {
  return /\.gguf$/i.test(path) && !NOT_A_MODEL.test(nameOf(path));
}

/** The models among a repository's GGUF files, in the order in which they are proposed. */
export function ggufCandidates<F extends RepositoryFile>(files: readonly F[]): Candidate<F>[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const paths = files.map(({ path }) => path).filter(isGgufModel);
  const models = new Set(paths.map((path) => splitParts(path)[0] ?? path));
  return [...models].map((path) => candidate(path, byPath)).sort(byPreference);
}

/**
 * The models that a text may mean, in the given order. The ways to name a model are tried from the most exact one on,
 * and the first that finds any decides.
 *
 * @param wanted - the path or the name of a file, with or without `.gguf`, or a quantisation
 */
export function candidatesNamed<C extends Candidate>(
  candidates: readonly C[],
  wanted: string,
): C[] {
  const text = wanted.toLowerCase();
  const ways: ((candidate: Candidate) => boolean)[] = [
    ({ parts }) => parts.some(({ path }) => path === wanted),
    ({ parts }) => parts.some(({ path }) => nameOf(path).toLowerCase() === text),
    ({ path }) => ggufStem(path).toLowerCase() === text,
    ({ quantization }) => quantization === text.replace(/^ud-/, '').toUpperCase(),
  ];
  const found = ways.map((way) => candidates.filter(way));
  return found.find(({ length }) => length > 0) ?? [];
}

/** Whether only their sizes decide which of the two is better. */
export function isAlike(a: Candidate, b: Candidate): boolean {
  return rank(a) === rank(b) && depth(a) === depth(b);
}

function candidate<F extends RepositoryFile>(
  path: string,
  files: ReadonlyMap<string, F>,
): Candidate<F> {
  const paths = splitParts(path);
  const parts = paths.flatMap((part) => files.get(part) ?? []);
  const missing = paths.find((part) => !files.has(part));
  const projector = bestProjector(path, [...files.values()]);
  const all = projector ? [...parts, projector] : parts;
  const bytes = all.reduce((sum, { size }) => sum + size, 0);
  return { path, parts, projector, bytes, quantization: namedQuantization(path), missing };
}

/** Files in folders come later: they are often special ones. */
function byPreference(a: Candidate, b: Candidate): number {
  return rank(a) - rank(b) || depth(a) - depth(b) || a.bytes - b.bytes;
}

function rank({ quantization }: Candidate): number {
  return quantizationRank(quantization);
}

function depth({ path }: Candidate): number {
  return path.split('/').length;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
