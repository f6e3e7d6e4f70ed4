import type { English } from './english.ts';
import { spellAcronyms } from './acronyms.ts';
import { spellAddresses } from './addresses.ts';
import { expandAbbreviations } from './abbreviations.ts';
import { speakDates, speakTimes } from './dates.ts';
import { speakMoney, speakNumbers } from './quantities.ts';

type Step = (text: string, english: English) => string;

/** In this order: each step replaces what a later step would misread. */
const STEPS: Step[] = [
  plainCharacters,
  spellAddresses,
  expandAbbreviations,
  speakDates,
  speakTimes,
  speakMoney,
  speakNumbers,
  spellAcronyms,
  speakSigns,
];

/**
 * English text as one would read it aloud: numbers, dates, times, amounts, addresses and abbreviations
 * become words, and text without a sound (emoji, markup) is dropped. Spelled letters become `F.B.I`.
 */
export function normalizeEnglish(text: string, english: English): string {
  return STEPS.reduce((spoken, step) => step(spoken, english), text)
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ *\n[\s]*/g, '\n')
    .trim();
}

const LOOKALIKES: [RegExp, string][] = [
  [/[‘’ʼ`´]/g, "'"],
  [/[«»„‟″]/g, '"'],
  [/[‐‑]/g, '-'],
  [/\s*(?:–|—|--+)\s*(?!\d)/g, ' — '],
  [/–/g, '-'],
  [/…|\.{2,}/g, '… '],
];

/** Replaces look-alikes with one character, and drops characters without a sound. */
function plainCharacters(text: string): string {
  const composed = text
    .replace(/(?<=\d)(?=[\u00bc-\u00be\u2150-\u215e])/g, ' and ')
    .normalize('NFKC')
    .replaceAll('\u2044', '/')
    .replace(/\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}/gu, ' ')
    .replace(/\p{Variation_Selector}|\u20e3/gu, '')
    .replace(/(?!\n)[\s\p{Cc}\p{Cf}]/gu, ' ');
  return LOOKALIKES.reduce((plain, [from, to]) => plain.replace(from, to), composed);
}

const SIGNS: [RegExp, string][] = [
  [/\s*&\s*/g, ' and '],
  [/\s*\+\s*/g, ' plus '],
  [/\s*=\s*/g, ' equals '],
  [/\s*×\s*/g, ' times '],
  [/\s*÷\s*/g, ' divided by '],
  [/\s*±\s*/g, ' plus or minus '],
  [/\s*%/g, ' percent'],
  [/\s*°/g, ' degrees'],
  [/@/g, ' at '],
  [/§/g, ' section '],
  [/[#*_~^|\\<>{}[\]/$€£¥•·¶†‡→←↑↓]+/g, ' '],
];

/** In alphabetical order, with both forms of sigma. */
const GREEK = (
  'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma sigma ' +
  'tau upsilon phi chi psi omega'
).split(' ');

function speakSigns(text: string): string {
  const spoken = SIGNS.reduce((plain, [sign, words]) => plain.replace(sign, words), text);
  // A single Greek letter stands for a quantity. Several are a Greek word.
  return spoken.replace(/(?<!\p{sc=Greek})\p{sc=Greek}(?!\p{sc=Greek})/gu, (letter) => {
    const name = GREEK[letter.toLowerCase().charCodeAt(0) - 'α'.charCodeAt(0)];
    return name === undefined ? letter : ` ${name} `;
  });
}
