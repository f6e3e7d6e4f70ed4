import { describe, expect, test } from 'vitest';
import { choiceGrammar, patternGrammar } from '../../../../src/core/grammar/text-grammar.ts';
import { CompiledGrammar } from './support/grammar-engine.ts';

/** Which of these texts a model could write under a grammar. */
async function accepted(ebnf: string, texts: string[]): Promise<string[]> {
  const grammar = await CompiledGrammar.compile(ebnf);
  try {
    return texts.filter((text) => grammar.accepts(text));
  } finally {
    grammar.dispose();
  }
}

describe('the grammar of a regular expression', () => {
  test.each([
    ['[a-c]{2}', ['ab', 'cc'], ['a', 'abc', 'xab', '"ab"', '']],
    ['yes|no', ['yes', 'no'], ['yes!', 'on', 'yesno']],
    ['^\\d{3}-\\d{4}$', ['555-1234'], ['555-12345', ' 555-1234']],
    ['(?:Zürich|☕)+', ['Zürich', '☕☕Zürich'], ['Zurich', '']],
    ['\\w+@\\w+\\.com', ['me@a.com'], ['me@a_com', '@a.com']],
  ])('%s matches whole texts', async (pattern, right, wrong) => {
    expect(await accepted(patternGrammar(pattern), [...right, ...wrong])).toEqual(right);
  });

  test.each([
    ['(', 'is not a regular expression'],
    ['(a)\\1', 'which is not supported'],
    ['a(?!.*)b', 'matches no text'],
  ])('refuses %s', (pattern, message) => {
    expect(() => patternGrammar(pattern)).toThrow(message);
  });
});

test('the grammar of a choice has these texts only', async () => {
  const texts = ['positive', 'pos', '', 'a "b"\n'];
  const others = ['positiv', 'neg', 'POS', 'positivepos'];
  expect(await accepted(choiceGrammar(texts), [...texts, ...others])).toEqual(texts);
});
