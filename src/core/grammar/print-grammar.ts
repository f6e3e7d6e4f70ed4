import { ASCII, charSet, intersection, sizeOf, type CharSet } from './char-set.ts';
import type { Expression, Rules } from './expression.ts';
import { utf8Sequences } from './utf8-ranges.ts';

const BEYOND_ASCII: CharSet = [
  [0x80, 0xd7ff],
  [0xe000, 0x10ffff],
];
/** The rule for any character beyond ASCII. Most grammars need it. */
const BEYOND = 'beyond_ascii';
/** Up to this many characters beyond ASCII are written one by one. */
const FEW = 16;

/** The grammar in XGrammar's EBNF. Its first rule is `root`. */
export function printGrammar(rules: Rules): string {
  const printed = [...rules].map(([name, body]) => `${name} ::= ${print(body)}\n`).join('');
  return printed.includes(BEYOND) ? `${printed}${BEYOND} ::= ${utf8(BEYOND_ASCII)}\n` : printed;
}

function print(expression: Expression): string {
  switch (expression.kind) {
    case 'text':
      return literals(expression.text).join(' ');
    case 'set':
      return printSet(expression.set).join(' | ');
    case 'sequence':
      return expression.items.map(group).join(' ');
    case 'choice':
      return expression.items.map(print).join(' | ');
    case 'repeat':
      return group(expression.item) + times(expression.min, expression.max);
    case 'rule':
      return expression.name;
  }
}

function group(expression: Expression): string {
  return expression.kind === 'rule' ? expression.name : `(${print(expression)})`;
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

/**
 * The alternatives that make up a set. In XGrammar 0.1 a positive class matches bytes, and a negated class
 * accepts invalid UTF-8. So characters beyond ASCII are written as bytes.
 */
function printSet(set: CharSet): string[] {
  const ascii = intersection(set, ASCII);
  const rest = intersection(set, BEYOND_ASCII);
  const inAscii = ascii.length > 0 ? [byteClass(ascii)] : [];
  if (sizeOf(rest) === sizeOf(BEYOND_ASCII)) return [...inAscii, BEYOND];
  return [...inAscii, ...(sizeOf(rest) <= FEW ? characters(rest).flatMap(literals) : [utf8(rest)])];
}

function characters(set: CharSet): string[] {
  return set.flatMap(([from, to]) =>
    Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index)),
  );
}

function utf8(set: CharSet): string {
  const sequences = utf8Sequences(charSet(set));
  return sequences.map((bytes) => bytes.map((range) => byteClass([range])).join(' ')).join(' | ');
}

/** XGrammar reads a class of one byte as a character. Written twice, it stays a byte. */
function byteClass(set: CharSet): string {
  const ranges = set.map(([from, to]) => {
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
