import { dotProducts } from './half-floats.ts';
import { keywordScores, type Postings } from './postings.ts';

/** What is read of a file to search it. */
export interface SearchedFile extends Postings {
  vectors: Uint16Array;
  chunkOf: Uint32Array;
}

/** A chunk that fits a query: the index of its file and its own. */
export interface RankedChunk {
  file: number;
  chunk: number;
  /** 0 to 1. */
  score: number;
}

/** How much the meaning counts, and how much the words. */
export interface Weights {
  vector: number;
  word: number;
}

/** How many chunks each of the two ways proposes. */
const CANDIDATES = 50;

/**
 * The chunks that fit a query best by its vector or its words, the best one first.
 *
 * @param files - all files of a store
 * @param isSearched - whether the file with this index passes the filters
 * @param vector - of length 1; undefined: the store has no vectors
 */
export function rankChunks(
  files: readonly SearchedFile[],
  isSearched: (file: number) => boolean,
  query: { text: string; vector: Float32Array | undefined },
  weights: Weights,
): RankedChunk[] {
  const { vector } = query;
  const words = keywordScores(files, query.text);
  const meanings = files.map((file, at) =>
    vector && isSearched(at) ? closeness(file, vector) : undefined,
  );
  const byMeaning = best(meanings, isSearched);
  const byWord = best(words, isSearched);
  const share = vector ? weights : { vector: 0, word: 1 };
  const sum = share.vector + share.word;
  const proposed = new Map(
    [...byMeaning, ...byWord].map((each) => [`${each.file} ${each.chunk}`, each]),
  );
  return [...proposed.values()]
    .map(({ file, chunk }) => {
      const meaning = meanings[file]?.[chunk] ?? 0;
      const word = words[file]?.[chunk] ?? 0;
      return { file, chunk, score: (share.vector * meaning + share.word * word) / sum };
    })
    .toSorted((a, b) => b.score - a.score);
}

/** The cosine of each chunk, or 0 if it is less. Of a chunk with several vectors, the best counts. */
function closeness(file: SearchedFile, vector: Float32Array): Float32Array {
  const scores = new Float32Array(file.lengths.length);
  for (const [at, product] of dotProducts(file.vectors, vector).entries()) {
    const chunk = file.chunkOf[at] ?? 0;
    scores[chunk] = Math.max(scores[chunk] ?? 0, Math.min(1, product));
  }
  return scores;
}

function best(
  scores: readonly (Float32Array | undefined)[],
  isSearched: (file: number) => boolean,
): RankedChunk[] {
  const found: RankedChunk[] = [];
  // The lowest score that is among the best so far.
  let bar = 0;
  for (const [file, chunks] of scores.entries()) {
    if (!chunks || !isSearched(file)) continue;
    for (let chunk = 0; chunk < chunks.length; chunk++) {
      const score = chunks[chunk] ?? 0;
      if (score <= bar) continue;
      found.push({ file, chunk, score });
      if (found.length >= 2 * CANDIDATES) bar = keepBest(found);
    }
  }
  keepBest(found);
  return found;
}

function keepBest(found: RankedChunk[]): number {
  found.sort((a, b) => b.score - a.score);
  found.length = Math.min(found.length, CANDIDATES);
  return found.length === CANDIDATES ? (found.at(-1)?.score ?? 0) : 0;
}
