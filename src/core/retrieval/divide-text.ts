/** How long a chunk may be, and how much of it the next one repeats, in tokens. */
export interface ChunkSize {
  maxTokens: number;
  overlapTokens: number;
}

/** The size of chunks if nobody says another one and the embedder reads so many tokens, as at OpenAI. */
export const USUAL_CHUNKS: ChunkSize = { maxTokens: 800, overlapTokens: 400 };

/** A piece of a text that is never cut. */
interface Unit {
  start: number;
  end: number;
  tokens: number;
  /** How good a place for a cut its end is: 3 after a paragraph, 2 after a line, 1 after a sentence, else 0. */
  rank: number;
}

/** Characters that are divided into tokens at once: a tokenizer may take long over more. */
const MOST_CHARACTERS = 1_000;
/** The part of a chunk that is filled before a better place for a cut is preferred to a longer chunk. */
const FILLED = 2 / 3;

/**
 * Divides a text into chunks. They end after a paragraph if one ends in their last third, or else after a line, a
 * sentence or a word.
 *
 * @param countTokens - of a piece of the text
 */
export function divideText(
  text: string,
  { maxTokens, overlapTokens }: ChunkSize,
  countTokens: (piece: string) => number,
): string[] {
  // Units have to be smaller than the overlap, so that a chunk can begin with some of those before it.
  const mostTokens = Math.max(1, Math.min(maxTokens, Math.floor(overlapTokens / 2) || maxTokens));
  const units = [...unitsOf(text, mostTokens, countTokens)];
  const chunks: string[] = [];
  for (let from = 0; from < units.length;) {
    const end = endOf(units, from, maxTokens);
    const chunk = text.slice(units[from]?.start, units[end - 1]?.end).trim();
    if (chunk !== '') chunks.push(chunk);
    if (end === units.length) break;
    from = Math.max(from + 1, overlapFrom(units, end, overlapTokens));
  }
  return chunks;
}

/** The index after the last unit of the chunk that begins at `from`. */
function endOf(units: readonly Unit[], from: number, maxTokens: number): number {
  let end = from;
  let tokens = 0;
  let best = { end: from + 1, rank: -1 };
  for (; end < units.length; end++) {
    const unit = units[end];
    if (!unit || (end > from && tokens + unit.tokens > maxTokens)) break;
    tokens += unit.tokens;
    const isLate = tokens >= maxTokens * FILLED;
    if (isLate && unit.rank >= best.rank) best = { end: end + 1, rank: unit.rank };
  }
  return end === units.length || best.rank === -1 ? end : best.end;
}

/** The first unit before `end` from which there are at most so many tokens. */
function overlapFrom(units: readonly Unit[], end: number, overlapTokens: number): number {
  let from = end;
  for (let tokens = 0; from > 0; from--) {
    tokens += units[from - 1]?.tokens ?? 0;
    if (tokens > overlapTokens) break;
  }
  return from;
}

function* unitsOf(
  text: string,
  mostTokens: number,
  countTokens: (piece: string) => number,
): Generator<Unit> {
  for (const [start, end] of sentences(text)) {
    const rank = rankOf(text, start, end);
    yield* cut(text, { start, end, tokens: 0, rank }, mostTokens, countTokens);
  }
}

/** A unit, or its halves if it is too long. */
function* cut(
  text: string,
  unit: Unit,
  mostTokens: number,
  countTokens: (piece: string) => number,
): Generator<Unit> {
  const { start, end, rank } = unit;
  const isShort = end - start <= MOST_CHARACTERS;
  const tokens = isShort ? countTokens(text.slice(start, end)) : Infinity;
  if (tokens <= mostTokens || end - start < 2) {
    yield { ...unit, tokens };
    return;
  }
  const middle = wordBorder(text, start, end);
  yield* cut(text, { ...unit, end: middle, rank: 0 }, mostTokens, countTokens);
  yield* cut(text, { ...unit, start: middle, rank }, mostTokens, countTokens);
}

/** Where to part a text: near its middle, where a word begins. If no word begins there, between two characters. */
function wordBorder(text: string, start: number, end: number): number {
  const middle = (start + end) >> 1;
  const space = text.lastIndexOf(' ', middle);
  if (space > start) return space + 1;
  const code = text.charCodeAt(middle);
  const isHalf = code >= 0xdc00 && code < 0xe000 && middle > start + 1;
  return isHalf ? middle - 1 : middle;
}

/** The sentences and lines of a text, with the space after them. */
function* sentences(text: string): Generator<[start: number, end: number]> {
  const border = /[.!?…]+["')\]]*\s+|[。！？]\s*|\s*\n\s*/gu;
  let start = 0;
  for (const { 0: found, index } of text.matchAll(border)) {
    const end = index + found.length;
    yield [start, end];
    start = end;
  }
  if (start < text.length) yield [start, text.length];
}

function rankOf(text: string, start: number, end: number): number {
  const lines = /\n/.test(text.slice(start, end).trimStart())
    ? (text.slice(start, end).match(/\n/g)?.length ?? 0)
    : 0;
  return lines > 1 ? 3 : 1 + Math.min(lines, 1);
}
