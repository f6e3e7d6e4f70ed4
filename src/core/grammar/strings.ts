import { intersect, lengthAutomaton, type Automaton } from './automaton.ts';
import type { Conjunction } from './branches.ts';
import { charsOf, difference, intersection, negation, union, type CharSet } from './char-set.ts';
import { choice, oneOf, repeat, rule, sequence, text, type Expression } from './expression.ts';
import { formatPattern } from './formats.ts';
import { patternAutomaton } from './pattern-automaton.ts';
import { withPatternErrors } from './pattern-errors.ts';
import { limitedCounts, type Counts } from './counts.ts';
import { stringOf, type Checked } from './schema.ts';
import { invalidSchema, pathTo } from './schema-error.ts';

/** Characters. With a larger limit, compiling the grammar would block the engine worker for seconds. */
const MAX_LENGTH = 4096;
/** Characters. Long ranges repeat blocks of this length, so that they have few states. */
const BLOCK = 64;

const ESCAPED: CharSet = union([[0, 0x1f]], charsOf('"\\'));

/** The texts that a string may be. */
export interface StringLanguage {
  counts: Counts;
  /** Accepts what all patterns, formats and counts allow; undefined without patterns and formats. */
  automaton: Automaton | undefined;
}

/** @throws ApiError 400 for a pattern or format that cannot be enforced */
export function stringLanguage(schemas: Conjunction): StringLanguage {
  const counts = limitedCounts(schemas, 'minLength', 'maxLength', MAX_LENGTH);
  const hasPattern = schemas.some(({ schema }) => schema['pattern'] !== undefined);
  const automata = schemas.flatMap((schema) => [
    ...fromPattern(schema, 'pattern', stringOf(schema, 'pattern')),
    ...fromPattern(schema, 'format', formatSource(schema, hasPattern)),
  ]);
  if (automata.length === 0) return { counts, automaton: undefined };
  const hasCounts = counts.min > 0 || counts.max !== undefined;
  return withPatternErrors(pathTo(schemas[0]?.path ?? '', 'pattern'), () => {
    const lengths = hasCounts ? [lengthAutomaton(counts.min, counts.max)] : [];
    return { counts, automaton: [...automata, ...lengths].reduce(intersect) };
  });
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
  if (!source) return [];
  return [withPatternErrors(pathTo(schema.path, keyword), () => patternAutomaton(source))];
}

/** A JSON string of any text whose length is within the counts. */
export function freeString({ min, max }: Counts, define: Define): Expression {
  const char = rule('char');
  // `chars` includes the closing quote.
  if (max === undefined) return sequence(text('"'), times(char, min, min, define), rule('chars'));
  return sequence(text('"'), times(char, min, max, define), text('"'));
}

/** Makes one rule for each description of lengths. */
type Define = (lengths: string, body: () => Expression) => Expression;

/**
 * Like `repeat`, but long ranges share rules for blocks of characters. Each alternative is a rule of its
 * own, because XGrammar 0.1 sometimes merges alternatives that begin alike.
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

/** Writes the texts of an automaton as the rest of a JSON string, after its opening quote. */
export const IN_STRING = { char: jsonChar, end: text('"') };

/** Any character of the set as a JSON string has it: escaped only if it must be. */
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

/** One character of a JSON string, in any way that JSON can write it. */
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
