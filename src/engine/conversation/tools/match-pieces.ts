/** Where the match ends; `no`: no match; `more`: the text ends before that is decided. */
export type Match = number | 'no' | 'more';

const SPACE = /\s/;

/**
 * Matches these pieces at a position of the text. Any amount of white space may stand between them;
 * after the last piece only if that piece ends with white space.
 */
export function matchPieces(text: string, from: number, pieces: readonly string[]): Match {
  let at = from;
  for (const [index, piece] of pieces.filter((each) => each.trim() !== '').entries()) {
    if (index > 0) at = skipSpace(text, at);
    if (text.startsWith(piece, at)) at += piece.length;
    else return piece.startsWith(text.slice(at)) ? 'more' : 'no';
  }
  return pieces.at(-1)?.trim() === '' ? skipSpace(text, at) : at;
}

export function skipSpace(text: string, from: number): number {
  let at = from;
  while (SPACE.test(text.charAt(at))) at++;
  return at;
}
