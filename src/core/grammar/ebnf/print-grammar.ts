import {
  ASCII,
  charSet,
  difference,
  intersection,
  keyOf,
  sizeOf,
  type CharSet,
} from '../regular/char-set.ts';
import { references, type Expression, type Rules } from './expression.ts';
import { utf8Sequences } from './utf8-ranges.ts';

const BEYOND_ASCII: CharSet = [
  [0x80, 0xd7ff],
  [0xe000, 0x10ffff],
];
/** Up to this many characters beyond ASCII are written one by one. Larger sets get a rule. */
const FEW = 16;
/** Characters of EBNF. A longer rest of a sequence is not repeated after each alternative of a set. */
const SHORT = 40;

/** The grammar in XGrammar's EBNF. Its first rule is `root`. Rules with the same body are printed once. */
export function printGrammar(rules: Rules): string {
  const printer = new GrammarPrinter(rules);
  const bodies = [...printer.bodies(), ...printer.sets];
  return bodies.map(([name, body]) => `${name} ::= ${body}\n`).join('');
}

class GrammarPrinter {
  readonly #rules: Rules;
  /** Rule → the rule that is printed in its place. */
  readonly #same = new Map<string, string>();
  /** Rule → the rules that refer to it. */
  readonly #referrers = new Map<string, string[]>();
  /** The rule of a set of characters beyond ASCII → its body. */
  readonly sets = new Map<string, string>();
  readonly #setNames = new Map<string, string>();

  constructor(rules: Rules) {
    this.#rules = rules;
    for (const [name, body] of rules) {
      for (const reference of references(body)) {
        const known = this.#referrers.get(reference);
        if (known) known.push(name);
        else this.#referrers.set(reference, [name]);
      }
    }
  }

  /** Rule → printed body. */
  bodies(): Map<string, string> {
    const bodies = new Map([...this.#rules.keys()].map((name) => [name, '']));
    const firsts = new Map<string, string>();
    // Most rules precede those that they refer to, so the last rules are printed first.
    for (const waiting = [...bodies.keys()]; ;) {
      const name = waiting.pop();
      if (name === undefined) return bodies;
      const body = this.#rules.get(name);
      if (!body || !bodies.has(name)) continue;
      const printed = this.#print(body);
      bodies.set(name, printed);
      const same = body.kind === 'rule' ? this.#nameOf(body.name) : firsts.get(printed);
      if (same === undefined || same === name || name === 'root') {
        firsts.set(printed, name);
      } else {
        this.#same.set(name, same);
        bodies.delete(name);
        const referrers = this.#referrers.get(name) ?? [];
        waiting.push(...referrers);
        this.#referrers.get(same)?.push(...referrers);
      }
    }
  }

  #nameOf(name: string): string {
    const same = this.#same.get(name);
    return same === undefined ? name : this.#nameOf(same);
  }

  #print(expression: Expression): string {
    switch (expression.kind) {
      case 'text':
        return literals(expression.text).join(' ');
      case 'set':
        return this.#set(expression.set).join(' | ');
      case 'sequence':
        return this.#sequence(expression.items);
      case 'choice':
        return expression.items.map((item) => this.#print(item)).join(' | ');
      case 'repeat':
        return this.#group(expression.item) + times(expression.min, expression.max);
      case 'rule':
        return this.#nameOf(expression.name);
      case 'followed':
        return this.#followed(expression);
      case 'until': {
        // Much faster than rules for the texts without the mark: XGrammar looks for it by itself.
        const stop = JSON.stringify(expression.mark);
        return `TagDispatch(stop_eos=false, stop_str=(${stop}), loop_after_dispatch=false)`;
      }
    }
  }

  /**
   * XGrammar needs four times as long to find the tokens that fit after a reference as after bytes. So if a set comes
   * first, the rest of the sequence is written after each of its alternatives.
   */
  #sequence(items: readonly Expression[]): string {
    const [loop, ...after] = items;
    if (loop?.kind !== 'repeat') return this.#alternatives(items).join(' | ');
    return this.#alternatives(after)
      .map((one) => `${this.#print(loop)} ${one}`)
      .join(' | ');
  }

  #alternatives([first, ...more]: readonly Expression[]): string[] {
    const rest = more.map((item) => this.#part(item)).join(' ');
    if (!first || first.kind !== 'set' || rest.length > SHORT) {
      return [`${first ? this.#part(first) : ''} ${rest}`.trim()];
    }
    const beyond = intersection(first.set, BEYOND_ASCII);
    if (sizeOf(beyond) <= FEW) return [`${this.#part(first)} ${rest}`];
    const ascii = intersection(first.set, ASCII);
    const all = [...(ascii.length > 0 ? [byteClass(ascii)] : []), ...utf8Alternatives(beyond)];
    return all.map((one) => `${one} ${rest}`);
  }

  /**
   * The alternatives that make up a set. In XGrammar 0.1 a positive class matches bytes, and a negated class
   * accepts invalid UTF-8. So characters beyond ASCII are written as bytes.
   */
  #set(set: CharSet): string[] {
    const ascii = intersection(set, ASCII);
    const rest = intersection(set, BEYOND_ASCII);
    const inAscii = ascii.length > 0 ? [byteClass(ascii)] : [];
    return sizeOf(rest) <= FEW
      ? [...inAscii, ...characters(rest).flatMap(literals)]
      : [...inAscii, this.#setRule(rest)];
  }

  #setRule(set: CharSet): string {
    const key = keyOf(set);
    const known = this.#setNames.get(key);
    if (known !== undefined) return known;
    const name = `beyond_ascii_${this.sets.size}`;
    this.#setNames.set(key, name);
    this.sets.set(name, utf8Alternatives(set).join(' | '));
    return name;
  }

  /** The assertion ends with a byte that UTF-8 never contains, so no token can continue after it. */
  #followed({ item, more, count }: Expression & { kind: 'followed' }): string {
    const next = `${this.#part(more)} `.repeat(count);
    return `${this.#print(item)} (=${next}[\\u00ff\\u00ff])`;
  }

  /** Prints a part of a sequence, in parentheses if it has alternatives. */
  #part(expression: Expression): string {
    const isWhole = expression.kind !== 'choice' && expression.kind !== 'set';
    return isWhole ? this.#print(expression) : `(${this.#print(expression)})`;
  }

  /** Prints the item of a repetition, in parentheses if it needs them. */
  #group(expression: Expression): string {
    const printed = this.#print(expression);
    const isClass = /^\[[^\]]*\]$/.test(printed);
    return expression.kind === 'rule' || isClass ? printed : `(${printed})`;
  }
}

function times(min: number, max: number | undefined): string {
  if (max === undefined) return min === 0 ? '*' : min === 1 ? '+' : `{${min},}`;
  return min === 0 && max === 1 ? '?' : `{${min},${max}}`;
}

/**
 * A text as string literals. XGrammar 0.1 reads a hexadecimal digit after a character beyond ASCII as a part
 * of that character, so the text is split between them.
 */
function literals(text: string): string[] {
  const parts = text.split(/(?<=[^\0-\x7f])(?=[0-9a-f])/iu);
  return parts.map(
    (part) => `"${part.replaceAll(/["\\]/g, '\\$&').replaceAll(/[\p{Cc}\p{Cs}]/gu, escape)}"`,
  );
}

function characters(set: CharSet): string[] {
  return set.flatMap(([from, to]) =>
    Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index)),
  );
}

function utf8Alternatives(set: CharSet): string[] {
  const sequences = utf8Sequences(charSet(set));
  return sequences.map((bytes) => bytes.map((range) => byteClass([range])).join(' '));
}

const CIRCUMFLEX: CharSet = [[0x5e, 0x5e]];

/**
 * XGrammar 0.1 reads a class of one byte as a character: written twice, it stays a byte. It reads a circumflex
 * at the start as a negation, even an escaped one, so it comes last.
 */
function byteClass(set: CharSet): string {
  const others = difference(set, CIRCUMFLEX);
  if (others.length === 0) return '"^"';
  const ordered = set[0]?.[0] === 0x5e ? [...others, ...CIRCUMFLEX] : set;
  const ranges = ordered.map(([from, to]) => {
    const first = escape(String.fromCharCode(from));
    if (from === to) return from < 0x80 ? first : first + first;
    return `${first}-${escape(String.fromCharCode(to))}`;
  });
  return `[${ranges.join('')}]`;
}

/** Letters and digits unchanged, any other character as a `\u` escape. */
function escape(char: string): string {
  if (/^[0-9A-Za-z]$/.test(char)) return char;
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
