import {
  candidatesNamed,
  isAlike,
  type Candidate as CandidateOf,
} from '../../../core/files/gguf/gguf-candidates.ts';
import { invalidRequest, type ApiError } from '../../../core/errors/errors.ts';
import type { Installation } from '../../../core/catalog/variant.ts';

/** A model in a repository, with files that can be installed. */
export type Candidate = CandidateOf<Installation['files'][number]>;

/** The most files that an error lists. */
const MOST_LISTED = 12;

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
 * The model that the user names.
 *
 * @param wanted - the path or the name of a file, with or without `.gguf`, or a quantisation
 * @throws ApiError 400 if there is none, if there are several, or if a part is missing
 */
export function named(
  repository: string,
  candidates: readonly Candidate[],
  wanted: string,
): Candidate {
  const found = candidatesNamed(candidates, wanted);
  const [best, ...others] = found;
  if (!best) throw noSuchFile(repository, candidates, wanted);
  if (others.some((other) => isAlike(other, best))) throw severalFit(repository, found);
  if (best.missing !== undefined) throw partMissing(repository, [best]);
  return best;
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
