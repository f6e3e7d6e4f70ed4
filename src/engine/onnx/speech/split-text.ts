/** Where a text may be parted, the best places first: after sentences, clauses, words, characters. */
type Part = (text: string, language: string) => string[];

const PARTS: Part[] = [
  (text, language) => segments(text, language, 'sentence'),
  (text) => text.match(/[\s\S]+?(?:[,;:—…、，；：]["”)\]]?(?:\s+|$)|$)/g) ?? [],
  (text, language) => segments(text, language, 'word'),
  (text, language) => segments(text, language, 'grapheme'),
];

/**
 * The sentences of a text, in pieces that the model takes: one that is too long is parted at its clauses,
 * or else between words, or in the middle of one. Nothing is lost but white space at the joints.
 *
 * @param language - BCP-47
 * @param fits - whether the model takes a piece; of what fits, every beginning fits too
 */
export function splitText(
  text: string,
  language: string,
  fits: (piece: string) => boolean,
): string[] {
  return segments(text, language, 'sentence')
    .flatMap((sentence) => pieces(sentence, language, fits, 1))
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '');
}

function pieces(
  text: string,
  language: string,
  fits: (piece: string) => boolean,
  level: number,
): string[] {
  const part = PARTS[level];
  // What no model takes is handed over all the same: it says so better than we could.
  if (fits(text.trim()) || part === undefined) return [text];
  const units = part(text, language);
  const found: string[] = [];
  for (let start = 0; start < units.length;) {
    const count = longestFitting(units.slice(start), fits);
    const piece = units.slice(start, start + count).join('');
    found.push(...(count > 1 ? [piece] : pieces(piece, language, fits, level + 1)));
    start += count;
  }
  return found;
}

/** How many of the units fit together: at least one, since less cannot be taken. */
function longestFitting(units: string[], fits: (piece: string) => boolean): number {
  let [most, tooMany] = [1, units.length + 1];
  while (tooMany - most > 1) {
    const middle = Math.floor((most + tooMany) / 2);
    if (fits(units.slice(0, middle).join('').trim())) most = middle;
    else tooMany = middle;
  }
  return most;
}

function segments(
  text: string,
  language: string,
  granularity: 'sentence' | 'word' | 'grapheme',
): string[] {
  const segmenter = new Intl.Segmenter(language, { granularity });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}
