import { intersect, lengthAutomaton, TooComplex, type Automaton } from './automaton.ts';
import type { Conjunction } from './branches.ts';
import { charsOf, difference, intersection, negation, union, type CharSet } from './char-set.ts';
import { choice, oneOf, repeat, rule, sequence, text, type Expression } from './expression.ts';
import { formatPattern } from './formats.ts';
import { patternAutomaton } from './pattern-automaton.ts';
import { UnsupportedPattern } from './pattern.ts';
import { countsOf, type Counts } from './scalars.ts';
import { stringOf, type Checked } from './schema.ts';
import { invalidSchema, pathTo } from './schema-error.ts';

/** Compiling a longer one would keep the GPU's other work waiting for seconds. */
const MAX_LENGTH = 4096;
/** Repeated as a whole, so that a long range is made of few states. */
const BLOCK = 64;

const ESCAPED: CharSet = union([[0, 0x1f]], charsOf('"\\'));

/** Which texts a string may be. */
export interface StringLanguage {
  counts: Counts;
  /** What patterns and formats accept, counts included; undefined where there are none. */
  automaton: Automaton | undefined;
}

/** @throws ApiError 400 for a pattern or format that cannot be enforced */
export function stringLanguage(schemas: Conjunction): StringLanguage {
  const counts = countsOf(schemas, 'minLength', 'maxLength');
  const hasPattern = schemas.some(({ schema }) => schema['pattern'] !== undefined);
  const automata = schemas.flatMap((schema) => [
    ...fromPattern(schema, 'pattern', stringOf(schema, 'pattern')),
    ...fromPattern(schema, 'format', formatSource(schema, hasPattern)),
  ]);
  checkCounts(schemas, counts);
  if (automata.length === 0) return { counts, automaton: undefined };
  const hasCounts = counts.min > 0 || counts.max !== undefined;
  return guarded(schemas[0], 'pattern', () => {
    const lengths = hasCounts ? [lengthAutomaton(counts.min, counts.max)] : [];
    return { counts, automaton: [...automata, ...lengths].reduce(intersect) };
  });
}

function checkCounts(schemas: Conjunction, { min, max = 0 }: Counts): void {
  if (Math.max(min, max) <= MAX_LENGTH) return;
  const keyword = min > MAX_LENGTH ? 'minLength' : 'maxLength';
  const at = schemas.find(({ schema }) => schema[keyword] !== undefined);
  throw invalidSchema(pathTo(at?.path ?? '', keyword), `must be at most ${MAX_LENGTH}.`);
}

function formatSource(schema: Checked, hasPattern: boolean): string | undefined {
  const format = stringOf(schema, 'format');
  if (format === undefined) return undefined;
  const source = formatPattern(format, hasPattern);
  if (source === undefined) {
    throw invalidSchema(pathTo(schema.path, 'format'), `is not supported: '${format}'.`);
  }
  return source;
}

function fromPattern(schema: Checked, keyword: string, source: string | undefined): Automaton[] {
  return source ? [guarded(schema, keyword, () => patternAutomaton(source))] : [];
}

/** Failures to understand a pattern as errors of the schema. */
function guarded<T>(schema: Checked | undefined, keyword: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const path = pathTo(schema?.path ?? '', keyword);
    if (error instanceof UnsupportedPattern) {
      throw invalidSchema(path, `${error.message}, which is not supported.`);
    }
    if (error instanceof TooComplex) throw invalidSchema(path, 'is too complex.');
    throw error;
  }
}

/** A JSON string of any text whose length is within the counts. */
export function freeString({ min, max }: Counts, define: Define): Expression {
  const char = rule('char');
  // The rest of a string, its end included.
  if (max === undefined) return sequence(text('"'), times(char, min, min, define), rule('chars'));
  return sequence(text('"'), times(char, min, max, define), text('"'));
}

/** Makes a rule of its own for so many characters. */
type Define = (lengths: string, body: () => Expression) => Expression;

/**
 * As `repeat`, but blocks of characters are rules that long ranges share, and each alternative is a
 * rule: xgrammar 0.1 now and then joins alternatives that begin alike.
 */
function times(char: Expression, min: number, max: number | undefined, define: Define): Expression {
  if (min > BLOCK) {
    const rest = max === undefined ? undefined : max - BLOCK;
    return sequence(repeat(char, BLOCK, BLOCK), times(char, min - BLOCK, rest, define));
  }
  if (max === undefined || max <= BLOCK) return repeat(char, min, max);
  const less = define(`${min} to ${BLOCK - 1}`, () => repeat(char, min, BLOCK - 1));
  const block = define(`${BLOCK}`, () => repeat(char, BLOCK, BLOCK));
  const more = define(`up to ${max - BLOCK}`, () => times(char, 0, max - BLOCK, define));
  return choice(less, sequence(block, more));
}

/** How an automaton's texts are written in a JSON string, whose opening quote is there already. */
export const IN_STRING = { char: jsonChar, end: text('"') };

/** Each character of the set as a JSON string has it: escaped only where it must be. */
function jsonChar(set: CharSet): Expression {
  const plain = difference(set, ESCAPED);
  const escapes = intersection(set, ESCAPED).flatMap(([from, to]) =>
    Array.from({ length: to - from + 1 }, (_, index) =>
      text(JSON.stringify(String.fromCodePoint(from + index)).slice(1, -1)),
    ),
  );
  return choice(oneOf(plain), ...escapes);
}

const HEX = oneOf(charsOf('0123456789abcdefABCDEF'));
const NOT_D = oneOf(charsOf('0123456789abcefABCEF'));

/** One character in a string, in any way that JSON has for it. */
export const ANY_CHAR_EXPRESSION: Expression = choice(
  oneOf(negation(ESCAPED)),
  sequence(text('\\'), oneOf(charsOf('"\\/bfnrt'))),
  sequence(text('\\u'), NOT_D, HEX, HEX, HEX),
  sequence(text('\\u'), oneOf(charsOf('dD')), oneOf(charsOf('01234567')), HEX, HEX),
  sequence(
    ...[text('\\u'), oneOf(charsOf('dD')), oneOf(charsOf('89abAB')), HEX, HEX],
    ...[text('\\u'), oneOf(charsOf('dD')), oneOf(charsOf('cdefCDEF')), HEX, HEX],
  ),
);
