import type { English } from './english.ts';
import { spellAcronyms } from './acronyms.ts';
import { spellAddresses } from './addresses.ts';
import { expandAbbreviations } from './abbreviations.ts';
import { speakDates, speakTimes } from './dates.ts';
import { speakMoney, speakNumbers } from './quantities.ts';

type Step = (text: string, english: English) => string;

/** In this order: each step takes what is its own, so that a later one does not misread it. */
const STEPS: Step[] = [
  plainCharacters,
  spellAddresses,
  expandAbbreviations,
  speakDates,
  speakTimes,
  speakMoney,
  speakNumbers,
  spellAcronyms,
  speakSymbols,
];

/**
 * English text as one would read it aloud: numbers, dates, times, amounts, addresses and abbreviations
 * become words; what has no sound (emoji, markup) is dropped. Letters that are to be spelled come out as
 * `F.B.I`.
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

/** One character for each meaning, and none without one. */
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

const SYMBOLS: [RegExp, string][] = [
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

/** In the order of the alphabet, both forms of sigma among them. */
const GREEK = (
  'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma sigma ' +
  'tau upsilon phi chi psi omega'
).split(' ');

function speakSymbols(text: string): string {
  const spoken = SYMBOLS.reduce((plain, [symbol, words]) => plain.replace(symbol, words), text);
  // Alone it stands for a quantity; a word of them is Greek.
  return spoken.replace(/(?<!\p{sc=Greek})\p{sc=Greek}(?!\p{sc=Greek})/gu, (letter) => {
    const name = GREEK[letter.toLowerCase().charCodeAt(0) - 'α'.charCodeAt(0)];
    return name === undefined ? letter : ` ${name} `;
  });
}
