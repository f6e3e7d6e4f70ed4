import { forcedTokens } from './forced-tokens.ts';
import type { GrammarMatcher } from './grammar-masks.ts';
import type { Llama } from './llama.ts';

/** Tokens that only separate names and values: white space and JSON's marks. */
const MARKS = new Set(' \n\t"{}[]:,'.split('').map((mark) => mark.charCodeAt(0)));

type DraftLlama = Pick<Llama, 'tokenize' | 'bytes'>;

/**
 * The tokens that a model will probably write next: those that the grammar forces, and between them the marks that
 * followed the same token before. JSON may have a space after a comma or none, for example, and most models keep to one.
 *
 * @param matcher - at the answer's place in the grammar, where it is again afterwards
 * @param written - tokens of the answer so far
 */
export function draftTokens(
  llama: DraftLlama,
  matcher: Pick<GrammarMatcher, 'forced' | 'accepts' | 'rollBack'>,
  written: readonly number[],
  most: number,
): number[] {
  const drafted: number[] = [];
  while (drafted.length < most) {
    const before = [...written, ...drafted];
    const forced = forcedTokens(llama, before, matcher.forced, most - drafted.length);
    const next = forced.length > 0 ? forced : repeatedMark(llama, before);
    const allowed = next.findIndex((token) => !matcher.accepts(token));
    drafted.push(...(allowed < 0 ? next : next.slice(0, allowed)));
    if (next.length === 0 || allowed >= 0) break;
  }
  matcher.rollBack(drafted.length);
  return drafted;
}

/** The mark that came after the last token when it was written before. */
function repeatedMark(llama: DraftLlama, written: readonly number[]): number[] {
  const place = written.lastIndexOf(written.at(-1) ?? -1, -2);
  const next = place < 0 ? undefined : written[place + 1];
  if (next === undefined) return [];
  const bytes = llama.bytes(next);
  return bytes.length > 0 && bytes.every((byte) => MARKS.has(byte)) ? [next] : [];
}
