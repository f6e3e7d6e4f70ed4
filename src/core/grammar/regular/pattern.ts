import {
  ANY_CHAR,
  charsOf,
  difference,
  negation,
  sizeOf,
  union,
  type CharSet,
} from './char-set.ts';

/** An ECMAScript regular expression as a tree. */
export type Pattern =
  | { kind: 'set'; set: CharSet }
  | { kind: 'sequence'; items: readonly Pattern[] }
  | { kind: 'choice'; items: readonly Pattern[] }
  | { kind: 'repeat'; item: Pattern; min: number; max: number | undefined }
  | { kind: 'start' }
  | { kind: 'end' }
  | { kind: 'look'; ahead: Pattern; negated: boolean };

/** The pattern uses a feature that cannot become a grammar. The message says which. */
export class UnsupportedPattern extends Error {}

const DIGITS: CharSet = [[0x30, 0x39]];
const WORD: CharSet = union(DIGITS, charsOf('_'), [
  [0x41, 0x5a],
  [0x61, 0x7a],
]);
const SPACE: CharSet = union(
  charsOf('\t\n\v\f\r \u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff'),
  [[0x2000, 0x200a]],
);
/** Characters. RegExp takes longer counts, too, but none of them is enforced. */
const LONGEST_COUNT = 50;
const HEX = '[\\dA-Fa-f]';
/** Escapes of characters by their codes. The escapes of a surrogate pair make one character. */
const CODES = [
  `x(?<code>${HEX}{2})`,
  `u(?<high>[dD][89ABab]${HEX}{2})\\\\u(?<low>[dD][C-Fc-f]${HEX}{2})`,
  `u(?<unit>${HEX}{4})`,
  'c(?<control>[A-Za-z])',
];
const CODE_ESCAPE = new RegExp(`^(?:${CODES.join('|')})`);
const UNICODE_ESCAPE = new RegExp(`^(?:${CODES.join('|')}|u\\{(?<braced>${HEX}+)\\})`);
/** Characters, including leading zeros of a code. */
const LONGEST_ESCAPE = 30;
const LINE_END = charsOf('\n\r\u2028\u2029');
const CLASS_ESCAPES = new Map<string, CharSet>([
  ['d', DIGITS],
  ['D', negation(DIGITS)],
  ['w', WORD],
  ['W', negation(WORD)],
  ['s', SPACE],
  ['S', negation(SPACE)],
]);
const CONTROL_ESCAPES = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
  ['f', '\f'],
  ['0', '\0'],
]);

/**
 * The regular expression of a pattern. Patterns written for other languages may use escapes that the flag
 * `u` forbids: they are read without it.
 *
 * @throws SyntaxError
 */
export function regularExpression(source: string): RegExp {
  try {
    return new RegExp(source, 'u');
  } catch {
    return new RegExp(source);
  }
}

/**
 * Parses a pattern of JSON Schema, in ECMAScript's syntax. `regularExpression` must have accepted it.
 *
 * @throws UnsupportedPattern
 */
export function parsePattern(source: string): Pattern {
  return new PatternParser(source).parse();
}

/** Does not check the syntax: RegExp has accepted the source. */
class PatternParser {
  readonly #chars: string[];
  /** Whether escapes are those of the flag `u`. */
  readonly #isUnicode: boolean;
  #at = 0;

  constructor(source: string) {
    this.#chars = Array.from(source);
    this.#isUnicode = regularExpression(source).unicode;
  }

  parse(): Pattern {
    return this.#choice();
  }

  #peek(text: string): boolean {
    return this.#chars.slice(this.#at, this.#at + text.length).join('') === text;
  }

  #take(text: string): boolean {
    const found = this.#peek(text);
    if (found) this.#at += text.length;
    return found;
  }

  #next(): string {
    return this.#chars[this.#at++] ?? '';
  }

  #choice(): Pattern {
    const items = [this.#sequence()];
    while (this.#take('|')) items.push(this.#sequence());
    const [only, ...more] = items;
    return only && more.length === 0 ? only : { kind: 'choice', items };
  }

  #sequence(): Pattern {
    const items: Pattern[] = [];
    while (this.#at < this.#chars.length && !this.#peek('|') && !this.#peek(')')) {
      items.push(this.#repeated(this.#atom()));
    }
    return { kind: 'sequence', items };
  }

  #repeated(item: Pattern): Pattern {
    const rest = this.#chars.slice(this.#at, this.#at + LONGEST_COUNT).join('');
    const [all, sign, from, comma, to] = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/.exec(rest) ?? [];
    if (all === undefined) return item;
    this.#at += all.length;
    if (sign === '*') return { kind: 'repeat', item, min: 0, max: undefined };
    if (sign === '+') return { kind: 'repeat', item, min: 1, max: undefined };
    if (sign === '?') return { kind: 'repeat', item, min: 0, max: 1 };
    const max = to ? Number(to) : comma ? undefined : Number(from);
    return { kind: 'repeat', item, min: Number(from), max };
  }

  #atom(): Pattern {
    if (this.#take('^')) return { kind: 'start' };
    if (this.#take('$')) return { kind: 'end' };
    if (this.#take('.')) return { kind: 'set', set: difference(ANY_CHAR, LINE_END) };
    if (this.#take('[')) return { kind: 'set', set: this.#class() };
    if (this.#take('(')) return this.#group();
    if (this.#take('\\')) return { kind: 'set', set: this.#escape() };
    return { kind: 'set', set: charsOf(this.#next()) };
  }

  #group(): Pattern {
    const look = this.#take('?=') ? 'ahead' : this.#take('?!') ? 'not ahead' : undefined;
    if (this.#peek('?<=') || this.#peek('?<!')) throw new UnsupportedPattern('uses lookbehind');
    if (!look && this.#peek('?') && !this.#take('?:')) this.#skipGroupName();
    const inner = this.#choice();
    this.#take(')');
    return look ? { kind: 'look', ahead: inner, negated: look === 'not ahead' } : inner;
  }

  #skipGroupName(): void {
    if (!this.#take('?<')) throw new UnsupportedPattern('sets flags in a group');
    while (this.#next() !== '>');
  }

  #class(): CharSet {
    const negated = this.#take('^');
    const parts: CharSet[] = [];
    while (!this.#take(']')) {
      const from = this.#classAtom();
      const isRange = this.#peek('-') && this.#chars[this.#at + 1] !== ']';
      if (isRange) this.#next();
      parts.push(isRange ? range(from, this.#classAtom()) : from);
    }
    const set = union(...parts);
    return negated ? negation(set) : set;
  }

  #classAtom(): CharSet {
    if (this.#take('\\b')) return charsOf('\b');
    return this.#take('\\') ? this.#escape() : charsOf(this.#next());
  }

  /** What a backslash means, with the characters after it. */
  #escape(): CharSet {
    const rest = this.#chars.slice(this.#at, this.#at + LONGEST_ESCAPE).join('');
    const { 0: all, groups = {} } =
      (this.#isUnicode ? UNICODE_ESCAPE : CODE_ESCAPE).exec(rest) ?? {};
    if (all !== undefined) {
      this.#at += all.length;
      return charOfEscape(groups);
    }
    const char = this.#next();
    if (/[1-9ckBbpP]/.test(char) || /^0\d/.test(rest)) {
      throw new UnsupportedPattern(`uses \\${char}`);
    }
    return CLASS_ESCAPES.get(char) ?? charsOf(CONTROL_ESCAPES.get(char) ?? char);
  }
}

function charOfEscape(codes: Record<string, string | undefined>): CharSet {
  const { high, low, control, code = codes['unit'] ?? codes['braced'] ?? '' } = codes;
  if (control !== undefined) return charsOf(String.fromCharCode(control.charCodeAt(0) % 32));
  const units = high !== undefined && low !== undefined ? [high, low] : [code];
  return charsOf(String.fromCodePoint(...units.map((unit) => parseInt(unit, 16))));
}

/** In a range that begins or ends with `\d` or the like, the hyphen stands for itself. */
function range(from: CharSet, to: CharSet): CharSet {
  const [low, high] = [from[0]?.[0] ?? 0, to[0]?.[0] ?? 0];
  return sizeOf(from) === 1 && sizeOf(to) === 1 ? [[low, high]] : union(from, charsOf('-'), to);
}
