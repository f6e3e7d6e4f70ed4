import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { acceptsText, TooComplex } from '../../../../src/core/grammar/regular/automaton.ts';
import { patternAutomaton } from '../../../../src/core/grammar/regular/pattern-automaton.ts';
import {
  regularExpression,
  UnsupportedPattern,
} from '../../../../src/core/grammar/regular/pattern.ts';

/** Every run tests the same patterns. Another seed gives other patterns. */
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_126);
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 4000);

/** Characters in all the ways in which a pattern can write them. */
const CHARACTERS = [
  ...['a', 'b', 'u', 'x', 'c', 'd', '1', '3', '-', ',', ' ', '_', 'é', '日', '😀', '😂'],
  ...['\\n', '\\t', '\\v', '\\f', '\\0', '\\cA', '\\ca', '\\x61', '\\xe9', '\\u0061', '\\u65e5'],
  ...['\\u{61}', '\\u{1F600}', '\\u{00001f600}', '\\ud83d\\ude00', '\\uD83D\\uDE02'],
  ...['\\.', '\\-', '\\/', '\\$', '\\\\', '\\]', '\\}', '\\u', '\\x', '\\c', '\\_', '\\e', '\\😀'],
  ...['\\1', '\\8', '\\01', '\\07', '\\x6', '\\u12', '\\c1', '{', '}', ']', '{,3}', '{a}'],
];
const SETS = ['\\d', '\\D', '\\w', '\\W', '\\s', '\\S'];
const QUANTIFIERS = [
  '',
  '',
  '',
  '*',
  '+',
  '?',
  '{2}',
  '{0,1}',
  '{1,}',
  '{0}',
  '*?',
  '{2}?',
  '{',
  '{1',
];

const member = fc.oneof(
  fc.constantFrom(...CHARACTERS, '\\b', '^', '$', '.', '(', '|', '*', '['),
  fc.constantFrom(...SETS),
  fc
    .tuple(fc.constantFrom(...CHARACTERS), fc.constantFrom(...CHARACTERS))
    .map((ends) => ends.join('-')),
);
const set = fc
  .tuple(
    fc.constantFrom('', '^', '-', '^-'),
    fc.array(member, { maxLength: 3 }),
    fc.constantFrom('', '-'),
  )
  .map(([begin, members, end]) => `[${begin}${members.join('')}${end}]`);
const atom = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...CHARACTERS) },
  { weight: 2, arbitrary: fc.constantFrom('.', ...SETS) },
  { weight: 3, arbitrary: set },
);
const { pattern } = fc.letrec<{ pattern: string; group: string }>((tie) => ({
  group: fc
    .tuple(fc.constantFrom('', '?:', '?<n>', '?=', '?!'), tie('pattern'))
    .map(([kind, inner]) => `(${kind}${inner})`),
  pattern: fc
    .array(
      fc
        .tuple(
          fc.oneof({ maxDepth: 2 }, { weight: 5, arbitrary: atom }, tie('group')),
          fc.constantFrom(...QUANTIFIERS),
        )
        .map((parts) => parts.join('')),
      { minLength: 1, maxLength: 4 },
    )
    .chain((parts) => fc.constantFrom(parts.join(''), parts.join('|'), `^${parts.join('')}$`)),
}));

/** A character of two halves, as it is or as escapes. */
const HALVES = /[\u{10000}-\u{10ffff}]|\\u[dD]8/u;
/** Characters of texts: those that the patterns are about. */
const unit = fc.constantFrom(
  ...Array.from('abuxcd138-,. _é日😀😂\n\t\v\f\0\u0001\b\x07/$\\]}{(|*^[e'),
);
const texts = fc.array(fc.string({ unit, maxLength: 5 }), { minLength: 12, maxLength: 12 });

test('a pattern has the matches that RegExp finds', { timeout: 300_000 }, () => {
  let [matches, others] = [0, 0];
  const property = fc.property(pattern, texts, (source, samples) => {
    const [expression, automaton] = [expressionOf(source), automatonOf(source)];
    if (!expression || !automaton) return;
    // Without the flag `u`, RegExp sees halves of characters, which no JSON text has.
    const hasHalves = (text: string) => !expression.unicode && HALVES.test(text);
    if (hasHalves(source)) return;
    for (const text of [...samples, ...CHARACTERS].filter((each) => !hasHalves(each))) {
      const found = expression.test(text);
      expect(acceptsText(automaton, text), `${JSON.stringify(text)} under ${source}`).toBe(found);
      if (found) matches++;
      else others++;
    }
  });
  fc.assert(property, { seed: SEED, numRuns: RUNS });
  expect(matches).toBeGreaterThan(RUNS);
  expect(others).toBeGreaterThan(RUNS);
});

/** The regular expression of a pattern; undefined if the pattern is invalid. */
function expressionOf(source: string): RegExp | undefined {
  try {
    return regularExpression(source);
  } catch {
    return undefined;
  }
}

/** Undefined if the pattern cannot become a grammar, which its error says. */
function automatonOf(source: string): ReturnType<typeof patternAutomaton> | undefined {
  try {
    return expressionOf(source) && patternAutomaton(source);
  } catch (error) {
    if (error instanceof UnsupportedPattern || error instanceof TooComplex) return undefined;
    throw error;
  }
}
