/**
 * Prints as JSON how long the processor works for a search of a vector store of 100,000 chunks, in milliseconds: all
 * vectors, all postings, and the ranking, as the engine's thread does it.
 */
import { seededRandom } from '../../scripts/seeded-random.ts';
import { toHalfFloats } from '../../src/core/retrieval/half-floats.ts';
import { postingsOf } from '../../src/core/retrieval/postings.ts';
import { rankChunks, type SearchedFile } from '../../src/core/retrieval/rank-chunks.ts';
import { median } from '../statistics.ts';

const FILES = 200;
const CHUNKS = 500;
const WORDS = 100;
/** Length of the vectors: most small embedders have this one. */
const DIMENSIONS = 384;
const VOCABULARY = 50_000;
const QUERY_WORDS = 8;
const SEARCHES = 15;

const random = seededRandom(1);
/** A word; few of them are frequent, as in a language. */
const word = () => `w${Math.floor(VOCABULARY ** random())}`;
const words = (count: number) => Array.from({ length: count }, word).join(' ');

function vector(): Float32Array {
  const numbers = Float32Array.from({ length: DIMENSIONS }, () => random() - 0.5);
  const length = Math.hypot(...numbers);
  return numbers.map((number) => number / length);
}

function file(): SearchedFile {
  const vectors = new Uint16Array(CHUNKS * DIMENSIONS);
  for (let at = 0; at < CHUNKS; at++) vectors.set(toHalfFloats(vector()), at * DIMENSIONS);
  return {
    ...postingsOf(Array.from({ length: CHUNKS }, () => words(WORDS))),
    vectors,
    chunkOf: Uint32Array.from({ length: CHUNKS }, (_, at) => at),
  };
}

const files = Array.from({ length: FILES }, file);
const times: number[] = [];
for (let search = 0; search < SEARCHES; search++) {
  const query = { text: words(QUERY_WORDS), vector: vector() };
  const before = process.cpuUsage();
  rankChunks(files, () => true, query, { vector: 0.2, word: 0.8 });
  const { user, system } = process.cpuUsage(before);
  times.push((user + system) / 1_000);
}
// The first searches are not compiled yet.
console.log(JSON.stringify({ search_ms: median(times.slice(3)), first_ms: times[0] }));
