/** Where the match ends; `no`: there is none; `more`: the text ends before it can be told. */
export type Match = number | 'no' | 'more';

const SPACE = /\s/;

/**
 * Whether the text goes on with these pieces, from a position on. White space between them may be any
 * or none, whatever the pieces themselves have; after them only where they end with some.
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
