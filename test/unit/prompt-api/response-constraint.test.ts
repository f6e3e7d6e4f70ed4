import { expect, test } from 'vitest';
import { patternGrammar } from '../../../src/core/grammar/text-grammar.ts';
import { exceptionOf } from '../../../src/prompt-api/exceptions.ts';
import { readConstraint } from '../../../src/prompt-api/response-constraint.ts';
import { CompiledGrammar } from '../core/grammar/support/grammar-engine.ts';

/** The pattern that the API gets for a regular expression. */
function sent(responseConstraint: RegExp): string {
  const { guided_regex: source } = {
    guided_regex: '',
    ...readConstraint({ responseConstraint })?.fields,
  };
  return source;
}

test.each([
  [new RegExp('^\\p{L}$'), 'p{L}'],
  [new RegExp('^\\P{x}\\u{2}$'), 'P{x}uu'],
  [/^\u{61}$/u, 'a'],
  [/^\\p$/, '\\p'],
  [new RegExp('^[\\p]\\d$'), 'p1'],
])('%s means the same to the API, which writes %j', async (pattern, text) => {
  expect(pattern.test(text)).toBe(true);
  const grammar = await CompiledGrammar.compile(patternGrammar(sent(pattern)));
  try {
    expect(grammar.accepts(text)).toBe(true);
  } finally {
    grammar.dispose();
  }
});

test('properties of characters are refused, and the error names the option of the page', () => {
  const source = sent(/^\p{L}+$/u);
  expect(source).toBe('^\\p{L}+$');
  expect(() => patternGrammar(source)).toThrow('uses \\p, which is not supported');
  const error = { message: "'guided_regex' uses \\p, which is not supported." };
  expect(exceptionOf(400, { error })).toMatchObject({
    name: 'NotSupportedError',
    message: "'responseConstraint' uses \\p, which is not supported.",
  });
});
