import { describe, expect, test } from 'vitest';
import { endlessPattern } from '../../../../../src/core/files/tokenizer/endless-pattern.ts';

const inSplit = (pattern: string) => ({
  added_tokens: [{ content: '<s>' }],
  pre_tokenizer: {
    type: 'Sequence',
    pretokenizers: [{ type: 'Split', pattern: { Regex: pattern }, behavior: 'Isolated' }],
  },
  model: { type: 'BPE', vocab: {}, merges: [] },
});

/** Patterns of tokenizers in use. */
const USED = {
  'GPT-2': String.raw`'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`,
  'GPT-4': String.raw`(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`,
  'GPT-4o': String.raw`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+`,
  'Qwen 3': String.raw`(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`,
  'DeepSeek V3': String.raw`[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_${'`'}{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`,
  'DeepSeek’s ideographs': '[一-龥぀-ゟ゠-ヿ]+',
  'digits in groups of three': String.raw`\p{N}{1,3}(?=(?:\p{N}{3})*(?:\P{N}|$))`,
  BLOOM: String.raw` ?[^(\s|[.,!?…。，、।۔،])]+`,
  'Kimi K2': String.raw`[\p{Han}]+|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]*[\p{Ll}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]+[\p{Ll}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`,
  'GPT-4 with possessive loops': String.raw`'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s`,
  Tekken: String.raw`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+`,
  'DeepSeek Coder': String.raw`[\r\n]|\s?[A-Za-zµÀ-ÖØ-öø-ƺ]+|\s?[!-/:-~‘-‟　-。]+|\s+$|[一-龥ࠀ-一가-퟿]+|\p{N}+`,
  CLIP: String.raw`<\|startoftext\|>|<\|endoftext\|>|'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+`,
  'words with marks': String.raw`(?:\p{L}\p{M}*)+`,
  'words in a row': String.raw`(?:\s\w+)*`,
  'spaces that become one': ' {2,}',
  'what speech cannot say': "[^a-z' ]",
  'a place': String.raw`(?<=\n)\s+|^\s+|\b`,
};

/** Patterns that can be searched in exponentially many ways. */
const ENDLESS = {
  'a loop in a loop': '(a+)+b',
  'a loop in a loop, either empty': '(?:a*)*b',
  'a loop around alternatives that overlap': String.raw`(\w|\d)+!`,
  'a loop around equal alternatives': '(?:a|a)*b',
  'a loop around what can be left out': '(?:a?b?)*c',
  'a loop whose parts overlap': String.raw`(?:\p{L}+\p{L}*)+\s`,
  'a loop around words and what may follow them': String.raw`(?:\w+\s?)*\d`,
  'two ways to say the same word': '(?:a|ab|b)*c',
  'behind others': String.raw` ?\p{L}+|(?:\s*\n*)+x`,
  'in a named group, lazily': '(?<x>a+?)*?b',
  'in a lookahead': '(?=(a+)+b)',
  'in a negated lookbehind': '(?<!(a+)+b)x',
  'counted loops in one': '(a{1,30}){1,30}b',
  'counted alternatives': '(?:a|a){40}b',
  'what can be left out, counted': '(a?){50}a{50}b',
  'what can be left out, many times': `${'a?'.repeat(40)}${'a'.repeat(40)}`,
};

/** Patterns whose searches take the cube of a text's length, or a higher power. */
const SLOW = {
  'many loops in a row': 'a*a*a*b',
  'many loops with other things between them': '.*,.*,.*=',
  'many lazy loops, counted': '(.*?,){11}P',
  'many loops in a lookahead': String.raw`x(?=\s*\s+\s*y)`,
};

/** Patterns that take the search for endless patterns itself long. */
const LARGE = {
  'hundreds of places that can be left out': 'a?'.repeat(390),
  'alternatives of those': `(?:${'a?b?|'.repeat(95)}c)*`,
  'thousands of groups': '('.repeat(100_000),
  'thousands of characters': 'x'.repeat(100_000),
};

describe('a tokenizer may have the patterns of', () => {
  test.each(Object.entries(USED))('%s', (_name, pattern) => {
    expect(endlessPattern(inSplit(pattern))).toBeUndefined();
  });
});

describe('a tokenizer may not have', () => {
  test.each(Object.entries({ ...ENDLESS, ...SLOW, ...LARGE }))('%s', (_name, pattern) => {
    expect(endlessPattern(inSplit(pattern))).toBe(pattern);
  });

  test.each(['normalizer', 'decoder', 'post_processor'])('one in its %s', (part) => {
    const tokenizer = { [part]: { type: 'Replace', pattern: { Regex: '(a+)+b' }, content: '' } };
    expect(endlessPattern(tokenizer)).toBe('(a+)+b');
  });
});

test('only patterns are looked at', () => {
  expect(endlessPattern({ model: { vocab: { Regex: '(a+)+b' } } })).toBeUndefined();
  expect(endlessPattern({ normalizer: { pattern: { String: '(a+)+b' } } })).toBeUndefined();
  expect(endlessPattern(null)).toBeUndefined();
  const deep: unknown = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000));
  expect(endlessPattern({ normalizer: deep })).toBeUndefined();
});
