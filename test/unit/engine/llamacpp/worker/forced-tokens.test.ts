import { expect, test } from 'vitest';
import { forcedTokens } from '../../../../../src/engine/llamacpp/worker/forced-tokens.ts';

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
const forced = (before: string[], text: string, most = 7, prefix = '') =>
  forcedTokens(tokenizer(prefix), ids(...before), text, most);

test('a forced text has the tokens that the tokenizer gives for the whole answer', () => {
  expect(forced(['{"'], 'name":')).toEqual(ids('name', '":'));
  expect(forced(['{', '"', 'n'], 'ame":')).toEqual([]);
  expect(forced(['a'], 'é":')).toEqual(ids('é', '":'));
});

test('a tokenizer may put a space before each text', () => {
  expect(forced(['{"'], 'name":', 7, ' ')).toEqual(ids('name', '":'));
});

test('if one token would be for the end of the answer and the beginning of the text, nothing is guessed', () => {
  expect(forced(['name', '"'], ':')).toEqual([]);
  expect(forced(['name', '":'], '"x')).toEqual([]);
});

test('there are at most as many as asked for, and none of no text', () => {
  expect(forced(['{"'], 'name":', 1)).toEqual(ids('name'));
  expect(forced(['{"'], 'name":', 0)).toEqual([]);
  expect(forced(['{"'], '')).toEqual([]);
});
