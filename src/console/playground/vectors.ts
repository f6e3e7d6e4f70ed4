import { member } from '../json.ts';

/** The vectors of a response of `/embeddings`; undefined if it is another response. */
export function vectorsOf(response: unknown): number[][] | undefined {
  const data = member(response, 'data');
  if (!Array.isArray(data)) return undefined;
  const vectors = data.map((entry) => member(entry, 'embedding'));
  return vectors.every(isVector) ? vectors : undefined;
}

/** Cosines between all vectors, from -1 to 1. */
export function similarities(vectors: readonly number[][]): number[][] {
  const lengths = vectors.map((vector) => Math.sqrt(dot(vector, vector)));
  return vectors.map((a, row) =>
    vectors.map((b, column) => dot(a, b) / ((lengths[row] ?? 0) * (lengths[column] ?? 0) || 1)),
  );
}

/** Indexes and scores of a response of `/rerank`, the best first; undefined if it is another response. */
export function rankingOf(response: unknown): { index: number; score: number }[] | undefined {
  const results = member(response, 'results');
  if (!Array.isArray(results)) return undefined;
  const ranking = results.map((entry) => ({
    index: member(entry, 'index'),
    score: member(entry, 'relevance_score'),
  }));
  return ranking.every(isRanked) ? ranking : undefined;
}

function isRanked(entry: {
  index: unknown;
  score: unknown;
}): entry is { index: number; score: number } {
  return typeof entry.index === 'number' && typeof entry.score === 'number';
}

function isVector(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((number) => typeof number === 'number');
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
}
