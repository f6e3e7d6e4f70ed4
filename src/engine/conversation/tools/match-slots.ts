import type { Slot } from './format/call-format.ts';

/** A part of what is matched: a text, white space, or the place of a name, an id or an index. */
type Piece = { text: string } | { is: 'space' | 'name' | 'id' | 'index' };

/** What slots match: where the match ends, and the name in it. */
export interface Match {
  end: number;
  name: string;
  /** The last id, if there is one. */
  id?: string;
}

const SPACE = /\s/;
/** Marks, names of JSON's members and punctuation: white space may stand between them. */
const PIECES = /\s+|<[^<>\s]*>|\[[A-Z_]{3,}\]|"\w+"|[{}[\](),:;"]|[^\s<{}[\](),:;"]+|</g;
/** Models mix them up. */
const SYNONYMS = ['"arguments"', '"parameters"'];
const NAME = /^[\w-]*/;
const ID = /^[^\s"'<>[\]{},]*/;
const INDEX = /^\d*/;

/**
 * Matches slots at a position of a text that is still growing. Any amount of white space may stand between the pieces of
 * their texts, and where they have white space. There, it may be missing as well.
 */
export class SlotMatcher {
  readonly #pieces: readonly Piece[];
  readonly #names: ReadonlySet<string>;

  /** @param names - that a name may be */
  constructor(slots: readonly Slot[], names: ReadonlySet<string>) {
    this.#pieces = slots.flatMap((slot) => piecesOf(slot));
    this.#names = names;
  }

  /** @returns `no`: no match; `more`: the text ends before that is decided */
  match(text: string, from: number): Match | 'no' | 'more' {
    let at = from;
    let name = '';
    let id: string | undefined;
    let before: Piece | undefined;
    for (const piece of this.#pieces) {
      if (allowsSpace(before, piece)) at = skipSpace(text, at);
      before = piece;
      const end = this.#piece(piece, text, at);
      if (typeof end === 'string') return end;
      if ('is' in piece && piece.is === 'name') name = text.slice(at, end);
      if ('is' in piece && piece.is === 'id') id = text.slice(at, end);
      at = end;
    }
    return { end: at, name, ...(id !== undefined && { id }) };
  }

  #piece(piece: Piece, text: string, at: number): number | 'no' | 'more' {
    if ('text' in piece) {
      const ways = SYNONYMS.includes(piece.text) ? SYNONYMS : [piece.text];
      const found = ways.find((each) => text.startsWith(each, at));
      if (found !== undefined) return at + found.length;
      return ways.some((each) => each.startsWith(text.slice(at))) ? 'more' : 'no';
    }
    if (piece.is === 'space') return skipSpace(text, at);
    const pattern = piece.is === 'name' ? NAME : piece.is === 'id' ? ID : INDEX;
    const [found = ''] = pattern.exec(text.slice(at)) ?? [];
    const end = at + found.length;
    if (piece.is !== 'name') return end === text.length ? 'more' : found === '' ? 'no' : end;
    if (end < text.length) return this.#names.has(found) ? end : 'no';
    return [...this.#names].some((name) => name.startsWith(found)) ? 'more' : 'no';
  }
}

function piecesOf(slot: Slot): Piece[] {
  if (typeof slot !== 'string') return [{ is: slot.is }];
  const texts = slot.match(PIECES) ?? [];
  return texts.map((text) => (text.trim() === '' ? { is: 'space' } : { text }));
}

/** Whether white space may stand between two pieces: not inside what stands around a name, such as quotes. */
function allowsSpace(before: Piece | undefined, piece: Piece): boolean {
  if (!before) return false;
  const isPlace = (one: Piece) => 'is' in one && one.is !== 'space';
  if (isPlace(before)) return false;
  return !isPlace(piece) || ('text' in before && /[>\]]$/.test(before.text));
}

export function skipSpace(text: string, from: number): number {
  let at = from;
  while (SPACE.test(text.charAt(at))) at++;
  return at;
}
