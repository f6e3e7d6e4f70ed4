/** A regular expression as far as it matters for how a backtracking engine searches. */
export type PatternNode =
  /** One character. The source is that of a character, an escape or a class. */
  | { kind: 'character'; source: string }
  | { kind: 'sequence'; items: PatternNode[] }
  | { kind: 'alternatives'; items: PatternNode[] }
  | { kind: 'repetition'; item: PatternNode; least: number; most: number }
  /** What stands before or behind a place. */
  | { kind: 'lookaround'; item: PatternNode };

const EMPTY: PatternNode = { kind: 'sequence', items: [] };

const ESCAPE =
  /\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[\da-fA-F]{4}|x\{[^}]*\}|x[\da-fA-F]{2}|k<[^>]*>|c[a-zA-Z]|[^])/y;
const CLASS = /\[(?:\\[^]|\[:[^\]]*:\]|[^\]\\])*\]/y;
const QUANTIFIER = /(?:[*+?]|\{(\d*)(,?)(\d*)\})[?+]?/y;
/** The begin of a group: of a lookaround, of a named one, of one with flags, of any other. */
const GROUP = /\((\?(?:<?[=!]|<[^>]*>|>|[a-zA-Z-]*:|[a-zA-Z-]*(?=\))))?/y;
/** Escapes that match a place, not a character. */
const PLACES = /^\\(?:[bBAzZG]|k<|[1-9])/;

/**
 * Parses a regular expression in the syntax of JavaScript, or of the libraries that tokenizers are made with.
 *
 * @returns undefined if it cannot be parsed
 */
export function parsePattern(source: string): PatternNode | undefined {
  const parser = new PatternParser(source);
  const tree = parser.alternatives();
  return parser.isAtEnd ? tree : undefined;
}

class PatternParser {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#source.length;
  }

  alternatives(): PatternNode {
    const items = [this.#sequence()];
    while (this.#source[this.#at] === '|') {
      this.#at++;
      items.push(this.#sequence());
    }
    return items.length === 1 ? (items[0] ?? EMPTY) : { kind: 'alternatives', items };
  }

  #sequence(): PatternNode {
    const items: PatternNode[] = [];
    while (!this.isAtEnd && !'|)'.includes(this.#source[this.#at] ?? '')) {
      items.push(this.#quantified(this.#atom()));
    }
    return { kind: 'sequence', items };
  }

  #quantified(item: PatternNode): PatternNode {
    const found = this.#take(QUANTIFIER);
    if (!found) return item;
    const [text, least = '', comma, most = ''] = found;
    if (text.startsWith('?')) return { kind: 'repetition', item, least: 0, most: 1 };
    if (text.startsWith('*')) return { kind: 'repetition', item, least: 0, most: Infinity };
    if (text.startsWith('+')) return { kind: 'repetition', item, least: 1, most: Infinity };
    const open = comma === '' ? Number(least) : Infinity;
    const limit = most === '' ? open : Number(most);
    return { kind: 'repetition', item, least: Number(least), most: limit };
  }

  #atom(): PatternNode {
    const group = this.#take(GROUP);
    if (group) return this.#group(group[1] ?? '');
    const escape = this.#take(ESCAPE)?.[0];
    if (escape !== undefined) return PLACES.test(escape) ? EMPTY : character(escape);
    const set = this.#take(CLASS)?.[0];
    if (set !== undefined) return character(set);
    const [own = ''] = this.#source.slice(this.#at);
    this.#at += own.length;
    return '^$'.includes(own) ? EMPTY : character(own);
  }

  #group(begin: string): PatternNode {
    const content = this.alternatives();
    if (this.#source[this.#at] === ')') this.#at++;
    return /^\?<?[=!]/.test(begin) ? { kind: 'lookaround', item: content } : content;
  }

  #take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#source);
    if (found) this.#at = pattern.lastIndex;
    return found;
  }
}

function character(source: string): PatternNode {
  return { kind: 'character', source };
}
