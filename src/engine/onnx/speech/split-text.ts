type Split = (text: string, language: string) => string[];

/** The ways to split a text, the best places first: after sentences, clauses, words, characters. */
const SPLITS: Split[] = [
  (text, language) => segments(text, language, 'sentence'),
  (text) => text.match(/[\s\S]+?(?:[,;:—…、，；：]["”)\]]?(?:\s+|$)|$)/g) ?? [],
  (text, language) => segments(text, language, 'word'),
  (text, language) => segments(text, language, 'grapheme'),
];

/**
 * Splits a text into sentences. A sentence that is too long is split at its clauses, or else between words,
 * or else inside a word. Only white space between the pieces is lost.
 *
 * @param language - BCP-47
 * @param fits - whether the model takes a piece. Every prefix of a piece that fits must fit too
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
  const split = SPLITS[level];
  // If even one character does not fit, the model gets it and reports the error.
  if (fits(text.trim()) || split === undefined) return [text];
  const units = split(text, language);
  const found: string[] = [];
  for (let start = 0; start < units.length;) {
    const count = longestFitting(units.slice(start), fits);
    const piece = units.slice(start, start + count).join('');
    found.push(...(count > 1 ? [piece] : pieces(piece, language, fits, level + 1)));
    start += count;
  }
  return found;
}

/** How many of the first units fit together, at least one. */
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
