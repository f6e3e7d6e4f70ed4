/** Which terms the chunks of a file have. Terms are hashes, so that all of it is numbers. */
export interface Postings {
  /** Sorted. */
  terms: Uint32Array<ArrayBuffer>;
  /** Where the entries of each term begin; one more for the end. */
  starts: Uint32Array<ArrayBuffer>;
  /** The index of a chunk · 256 + how often the term is in it, at most 255. */
  entries: Uint32Array<ArrayBuffer>;
  /** How many terms each chunk has, repeated ones counted. */
  lengths: Uint32Array<ArrayBuffer>;
}

/** Parameters of BM25, as Lucene has them. */
const K1 = 1.2;
const B = 0.75;
const MOST_COUNTED = 255;

/** Words and numbers, in lower case, without the marks on letters; each character of a script without spaces. */
const TERM =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{N}_]+/gu;

/** The terms of a text in their order, as hashes. */
export function termsOf(text: string): number[] {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return (plain.match(TERM) ?? []).map(hashOf);
}

/** FNV-1a. Two of 200,000 terms have the same hash about five times; it only adds a wrong match to a ranking. */
function hashOf(term: string): number {
  let hash = 0x81_1c_9d_c5;
  for (let at = 0; at < term.length; at++) {
    hash = Math.imul(hash ^ term.charCodeAt(at), 0x1_00_01_93);
  }
  return hash >>> 0;
}

export function postingsOf(chunks: readonly string[]): Postings {
  const lengths = new Uint32Array(chunks.length);
  const found = new Map<number, number[]>();
  for (const [index, chunk] of chunks.entries()) {
    const counts = new Map<number, number>();
    const terms = termsOf(chunk);
    lengths[index] = terms.length;
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
    for (const [term, count] of counts) {
      const entries = found.get(term) ?? [];
      entries.push(index * 256 + Math.min(count, MOST_COUNTED));
      found.set(term, entries);
    }
  }
  const terms = Uint32Array.from(found.keys()).sort();
  const starts = new Uint32Array(terms.length + 1);
  const entries: number[] = [];
  for (const [at, term] of terms.entries()) {
    for (const entry of found.get(term) ?? []) entries.push(entry);
    starts[at + 1] = entries.length;
  }
  return { terms, starts, entries: Uint32Array.from(entries), lengths };
}

/** The entries of a term. */
function entriesOf({ terms, starts, entries }: Postings, term: number): Uint32Array {
  let [low, high] = [0, terms.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((terms[middle] ?? 0) < term) low = middle + 1;
    else high = middle;
  }
  return terms[low] === term ? entries.subarray(starts[low], starts[low + 1]) : NONE;
}

const NONE = new Uint32Array();

/**
 * How well each chunk fits a query by BM25, as a part of what a chunk would get that has every term of the query as
 * often as that still counts.
 *
 * @param files - the postings of all files of a store: rare terms count more
 * @returns for each file, the scores of its chunks from 0 to 1; 0: a chunk has no term of the query
 */
export function keywordScores(files: readonly Postings[], query: string): Float32Array[] {
  const scores = files.map(({ lengths }) => new Float32Array(lengths.length));
  const chunks = files.reduce((sum, { lengths }) => sum + lengths.length, 0);
  const words = files.reduce((sum, { lengths }) => lengths.reduce((a, b) => a + b, sum), 0);
  const mean = words / chunks || 1;
  let ideal = 0;
  for (const term of new Set(termsOf(query))) {
    const found = files.map((file) => entriesOf(file, term));
    const count = found.reduce((sum, { length }) => sum + length, 0);
    const rarity = Math.log(1 + (chunks - count + 0.5) / (count + 0.5));
    ideal += rarity;
    for (const [at, entries] of found.entries()) {
      const [own, lengths] = [scores[at], files[at]?.lengths];
      if (!own || !lengths) continue;
      for (const entry of entries) {
        const chunk = entry >>> 8;
        const times = entry & 0xff;
        const length = (lengths[chunk] ?? 0) / mean;
        const part = times / (times + K1 * (1 - B + B * length));
        own[chunk] = (own[chunk] ?? 0) + rarity * part;
      }
    }
  }
  if (ideal === 0) return scores;
  return scores.map((each) => each.map((score) => score / ideal));
}
