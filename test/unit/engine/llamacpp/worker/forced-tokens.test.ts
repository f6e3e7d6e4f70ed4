import { expect, test } from 'vitest';
import {
  ForcedTokens,
  forcedTokens,
} from '../../../../../src/engine/llamacpp/worker/drafts/forced-tokens.ts';

/** A tokenizer that takes the longest of these texts at each place, else a byte. */
const TOKENS = [...Array(128).keys()]
  .map((byte) => String.fromCharCode(byte))
  .concat(['{"', 'name', '":', '":"', 'é']);

function tokenizer(prefix = '') {
  const longest = TOKENS.toSorted((a, b) => b.length - a.length);
  return {
    bytes: (token: number) => new TextEncoder().encode(TOKENS[token]),
    tokenize: (text: string) => {
      const tokens: number[] = [];
      for (let rest = prefix + text; rest !== '';) {
        const found = longest.find((each) => rest.startsWith(each)) ?? '?';
        tokens.push(TOKENS.indexOf(found));
        rest = rest.slice(found.length);
      }
      return tokens;
    },
  };
}

const ids = (...texts: string[]) => texts.map((text) => TOKENS.indexOf(text));
const forced = (before: string[], text: string, prefix = '') =>
  forcedTokens(tokenizer(prefix), ids(...before), text);

test('a forced text has the tokens that the tokenizer gives for the whole answer', () => {
  expect(forced(['{"'], 'name":')).toEqual(ids('name', '":'));
  expect(forced(['{', '"', 'n'], 'ame":')).toEqual([]);
  expect(forced(['a'], 'é":')).toEqual(ids('é', '":'));
});

test('a tokenizer may put a space before each text', () => {
  expect(forced(['{"'], 'name":', ' ')).toEqual(ids('name', '":'));
});

test('if one token would be for the end of the answer and the beginning of the text, nothing is guessed', () => {
  expect(forced(['name', '"'], ':')).toEqual([]);
  expect(forced(['name', '":'], '"x')).toEqual([]);
});

test('no text has no tokens', () => {
  expect(forced(['{"'], '')).toEqual([]);
});

test('if the model has begun a token otherwise, the rest is guessed alone, with less trust', () => {
  const source = new ForcedTokens(tokenizer(), { forced: 'ame":' });
  const guessed = source.guess({ tokens: ids('{', '"', 'n'), start: 0 });
  expect(guessed).toEqual(ids('a', 'm', 'e', '":').map((token) => ({ token, grade: 2 })));
});

test('words are trusted less than marks, because they can be divided in more ways', () => {
  const source = new ForcedTokens(tokenizer(), { forced: 'name":' });
  const grades = source.guess({ tokens: ids('{"'), start: 0 }).map(({ grade }) => grade);
  const [word = 0, mark = 0] = grades.map((grade) => source.trust[grade]);
  expect(word).toBeLessThan(mark);
});
