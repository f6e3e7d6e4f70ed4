import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normalizeEnglish } from '../../../../../src/engine/onnx/speech/english/normalization/normalize.ts';
import { EnglishPhonemes } from '../../../../../src/engine/onnx/speech/english/phonemes.ts';

/** Kokoro's whole alphabet, from its tokenizer. */
const ALPHABET = new Set(
  ';:,.!?—…"()“” ̃ʣʥʦʨᵝꭧAIOQSTWYᵊabcdefhijklmnopqrstuvwxyzɑɐɒæβɔɕçɖðʤəɚɛɜɟɡɥɨɪʝɯɰŋɳɲɴøɸθœɹɾɻʁɽʂʃʈʧʊʋʌɣɤχʎʒʔˈˌːʰʲ↓→↗↘ᵻ',
);

/** Some entries of misaki's `us_gold.json`. */
const LEXICON = {
  hello: 'həlˈO',
  world: 'wˈɜɹld',
  box: 'bˈɑks',
  want: 'wˈɑnt',
  cat: 'kˈæt',
  bake: 'bˈAk',
  plan: 'plˈæn',
  run: 'ɹˈʌn',
  city: 'sˈɪɾi',
  wait: 'wˈAt',
  button: 'bˈʌʔn',
  to: 'tu',
  café: 'kæfˈA',
  OK: 'ˌOkˈA',
  eat: 'ˈit',
  go: 'ɡˌO',
  James: 'ʤˈAmz',
  "don't": 'dˈOnt',
  there: { DEFAULT: 'ðɛɹ', None: 'ðˈɛɹ' },
  read: { DEFAULT: 'ɹˈid', VBD: null },
};

const american = new EnglishPhonemes('en-US', LEXICON);

describe('a word', () => {
  test.each([
    ['hello', 'həlˈO'],
    ['HELLO', 'həlˈO'],
    ['Hello', 'həlˈO'],
    ['ok', 'ˌOkˈA'],
    ['café', 'kæfˈA'],
    ['read', 'ɹˈid'],
    ["don't", 'dˈOnt'],
    ['city', 'sˈɪTi'],
    ['button', 'bˈʌtn'],
  ])('%s is in the lexicon: %s', (word, sound) => {
    expect(american.phonemes(word)).toBe(sound);
  });

  test.each([
    ['boxes', 'bˈɑksᵻz'],
    ['cats', 'kˈæts'],
    ["cat's", 'kˈæts'],
    ["cats'", 'kˈæts'],
    ["James'", 'ʤˈAmz'],
    ['cities', 'sˈɪTiz'],
    ['wanted', 'wˈɑntᵻd'],
    ['waited', 'wˈATᵻd'],
    ['baked', 'bˈAkt'],
    ['planned', 'plˈænd'],
    ['baking', 'bˈAkɪŋ'],
    ['running', 'ɹˈʌnɪŋ'],
    ['waiting', 'wˈATɪŋ'],
  ])('%s is inflected: %s', (word, sound) => {
    expect(american.phonemes(word)).toBe(sound);
  });

  test.each([
    ['fox', 'fˈɑks', 'fˈɒks'],
    ['judge', 'ʤˈʌʤ', 'ʤˈʌʤ'],
    ['bird', 'bˈɜɹd', 'bˈɜːd'],
    ['boat', 'bˈOt', 'bˈQt'],
    ['seed', 'sˈid', 'sˈiːd'],
    ['constructor', 'kənstɹˈʌktəɹ', 'kənstɹˈʌktə'],
    ['ic', 'ˈɪk', 'ˈɪk'],
    ['gif', 'ɡˈɪf', 'ɡˈɪf'],
  ])('%s is in no dictionary and is guessed: %s, %s', (word, us, gb) => {
    expect(new EnglishPhonemes('en-US').phonemes(word)).toBe(us);
    expect(new EnglishPhonemes('en-GB').phonemes(word)).toBe(gb);
  });
});

describe('a sentence', () => {
  test.each([
    ['Hello, world!', 'həlˈO, wˈɜɹld!'],
    ['A cat — to eat.', 'ɐ kˈæt — tʊ ˈit.'],
    ['to go to.', 'tə ɡˌO tu.'],
    ['the cat, the city there', 'ðə kˈæt, ðə sˈɪTi ðˈɛɹ'],
    ['there, cat', 'ðˈɛɹ, kˈæt'],
    ['there cat', 'ðɛɹ kˈæt'],
    ['(hello) “world”', '(həlˈO) “wˈɜɹld”'],
    ['F.B.I', 'ˌɛfbˌiˈI'],
    ['C.P.Us', 'sˌipˌijˈuz'],
    ['plan A.', 'plˈæn ˈA.'],
    ['I eat', 'ˌI ˈit'],
  ])('%s: %s', (text, sounds) => {
    expect(american.phonemes(text)).toBe(sounds);
  });

  test('in another script has no sound', () => {
    expect(american.phonemes('Москва 你好')).toBe('');
  });
});

test.each(['en-US', 'en-GB'] as const)('%s: for any text, Kokoro knows every symbol', (english) => {
  const speaker = new EnglishPhonemes(english, english === 'en-US' ? LEXICON : {});
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.lorem(),
    fc.stringMatching(/^[\w'.,!?$%:() -]*$/),
  );
  fc.assert(
    fc.property(text, (written) => {
      const sounds = speaker.phonemes(normalizeEnglish(written, english));
      expect(Array.from(sounds).filter((symbol) => !ALPHABET.has(symbol))).toEqual([]);
    }),
    { numRuns: 300 },
  );
});
