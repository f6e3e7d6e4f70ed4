import { EnglishG2P } from 'phonemize/en-g2p';
import type { English } from './english.ts';

const VOWELS = 'AIOQWYaiuæɑɒɔəɛɜɪʊʌᵻᵊ';
const rules = new EnglishG2P();

/** IPA → Kokoro's alphabet, in this order. */
const COMMON: [RegExp, string][] = [
  [/eɪ/g, 'A'],
  [/aɪ/g, 'I'],
  [/aʊ/g, 'W'],
  [/ɔɪ/g, 'Y'],
  [/dʒ/g, 'ʤ'],
  [/tʃ/g, 'ʧ'],
  [/ɫ/g, 'l'],
  [/e/g, 'ɛ'],
  // The package's rule for `gif` has the letter g instead of the IPA symbol.
  [/g/g, 'ɡ'],
  // The package's rule for `ic` leaves a placeholder, `$1`.
  [/[^\p{L}\p{M}]/gu, ''],
];

const AMERICAN: [RegExp, string][] = [
  [/oʊ|o/g, 'O'],
  [new RegExp(`(?<=[ˈˌ][^ˈˌ${VOWELS}]*)ɝ`, 'gu'), 'ɜɹ'],
  [/ɝ/g, 'əɹ'],
  [/ɹɹ/g, 'ɹ'],
  [/a/g, 'ɑ'],
  [/(?<=[AIOWYiuæɑəɛɪɹʊʌɔ])t(?=[əɪiɑAO])/g, 'ɾ'],
];

const BRITISH: [RegExp, string][] = [
  [/oʊ|əʊ|o/g, 'Q'],
  [/ɛə/g, 'ɛː'],
  [/ɑ(?!ː)/g, 'ɒ'],
  [/æ/g, 'a'],
  [/ɔ(?!ː)/g, 'ɔː'],
  [/u(?!ː)/g, 'uː'],
  [new RegExp(`(?<=ˈ[^ˈˌ${VOWELS}]*)i(?!ː)`, 'gu'), 'iː'],
  [/ɝ/g, 'ə'],
];

/** Moves a stress mark right before the vowel. */
const STRESS_TO_VOWEL = new RegExp(`([ˈˌ])([^ˈˌ${VOWELS}]*)(?=[${VOWELS}])`, 'gu');

/** The likely phonemes of a word that no dictionary has, by spelling rules, in Kokoro's alphabet. */
export function guessPhonemes(word: string, english: English): string {
  // The package looks words up in plain objects, which inherit a `constructor`.
  const spelling = word.toLowerCase() === 'constructor' ? 'constructer' : word;
  const ipa = rules.predict(spelling, english) ?? '';
  const own = english === 'en-US' ? AMERICAN : BRITISH;
  return [...COMMON, ...own]
    .reduce((sound, [from, to]) => sound.replace(from, to), ipa)
    .replace(STRESS_TO_VOWEL, '$2$1')
    .replace(/[ˈˌ]+$/, '');
}
