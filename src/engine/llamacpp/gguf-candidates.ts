import { namedQuantization, quantizationRank } from '../../core/gguf/gguf-quantization.ts';
import { ggufStem, splitParts } from '../../core/gguf/gguf-split.ts';
import { invalidRequest, type ApiError } from '../../core/protocol/errors.ts';
import { totalBytes, type Installation } from '../../core/stores/variant.ts';

type HubFile = Installation['files'][number];

/** A model in a repository: a file, or all parts of one. */
export interface Candidate {
  /** Of its first part. */
  path: string;
  parts: HubFile[];
  /** Of all parts. */
  bytes: number;
  /** As the file's name states it. */
  quantization: string | undefined;
  /** Path of a part that the repository lacks. */
  missing: string | undefined;
}

/** Names of files that belong to a model, but are not one. */
const NOT_A_MODEL = /(^|[^a-z])(mmproj|imatrix|lora|adapter|vocab)([^a-z]|$)/i;
/** An error lists at most so many files. */
const MOST_LISTED = 12;

/** Whether a file of a repository is a GGUF model, or a part of one. */
export function isGgufModel(path: string): boolean {
  return /\.gguf$/i.test(path) && !NOT_A_MODEL.test(nameOf(path));
}

/** The models among a repository's GGUF files, in the order in which they are proposed. */
export function ggufCandidates(files: readonly HubFile[]): Candidate[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const models = new Set(files.map(({ path }) => splitParts(path)[0] ?? path));
  return [...models].map((path) => candidate(path, byPath)).sort(byPreference);
}

/**
 * The models to try, in this order: those that fit the memory, the best first; if none does, the smallest.
 *
 * @param memoryBytes - for a model on this device
 * @throws ApiError 400 if a part of each is missing, or if it is not clear which one is the best
 */
export function proposed(
  repository: string,
  candidates: readonly Candidate[],
  memoryBytes: number,
): Candidate[] {
  const whole = candidates.filter(({ missing }) => missing === undefined);
  if (whole.length === 0) throw partMissing(repository, candidates);
  const fitting = whole.filter(({ bytes }) => bytes <= memoryBytes);
  const [best, ...others] = fitting;
  if (!best) return whole.toSorted((a, b) => a.bytes - b.bytes).slice(0, 1);
  const alike = others.filter((other) => isAlike(other, best));
  if (alike.length > 0) throw severalFit(repository, [best, ...alike]);
  return fitting;
}

/**
 * The model that someone names.
 *
 * @param wanted - the path or the name of a file, with or without `.gguf`, or a quantisation
 * @throws ApiError 400 if there is none, if there are several, or if a part is missing
 */
export function named(
  repository: string,
  candidates: readonly Candidate[],
  wanted: string,
): Candidate {
  const found = matching(candidates, wanted);
  const [best, ...others] = found;
  if (!best) throw noSuchFile(repository, candidates, wanted);
  if (others.some((other) => isAlike(other, best))) throw severalFit(repository, found);
  if (best.missing !== undefined) throw partMissing(repository, [best]);
  return best;
}

function candidate(path: string, files: ReadonlyMap<string, HubFile>): Candidate {
  const paths = splitParts(path);
  const parts = paths.flatMap((part) => files.get(part) ?? []);
  const missing = paths.find((part) => !files.has(part));
  return { path, parts, bytes: totalBytes(parts), quantization: namedQuantization(path), missing };
}

/** Files in folders are often special ones. */
function byPreference(a: Candidate, b: Candidate): number {
  return rank(a) - rank(b) || depth(a) - depth(b) || a.bytes - b.bytes;
}

function isAlike(a: Candidate, b: Candidate): boolean {
  return rank(a) === rank(b) && depth(a) === depth(b);
}

function rank({ quantization }: Candidate): number {
  return quantizationRank(quantization);
}

function depth({ path }: Candidate): number {
  return path.split('/').length;
}

/** The most exact way to name a file decides, if a text is one of several. */
function matching(candidates: readonly Candidate[], wanted: string): Candidate[] {
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

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function list(candidates: readonly Candidate[]): string {
  const paths = candidates.slice(0, MOST_LISTED).map(({ path }) => path);
  const more = candidates.length - paths.length;
  return paths.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

function severalFit(repository: string, found: readonly Candidate[]): ApiError {
  const [{ path } = { path: '' }] = found;
  return invalidRequest(
    `${repository} has several files that may be meant: ${list(found)}. Name one, for example ` +
      `'${repository}:${path}'.`,
    'model',
  );
}

function noSuchFile(
  repository: string,
  candidates: readonly Candidate[],
  wanted: string,
): ApiError {
  return invalidRequest(
    `${repository} has no GGUF file '${wanted}'. It has ${list(candidates)}.`,
    'model',
  );
}

function partMissing(repository: string, candidates: readonly Candidate[]): ApiError {
  const missing = candidates.map((each) => each.missing).join(', ');
  return invalidRequest(
    `${repository} cannot be run: of a split GGUF file, this part is missing: ${missing}.`,
    'model',
  );
}
