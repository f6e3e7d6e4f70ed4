import type { English } from '../english.ts';
import { spellAcronyms } from './acronyms.ts';
import { spellAddresses } from './addresses.ts';
import { expandAbbreviations } from './abbreviations.ts';
import { plainCharacters } from './characters.ts';
import { speakDates, speakTimes } from './dates.ts';
import { speakMoney } from './money.ts';
import { speakNumbers } from './quantities.ts';
import { speakRomanNumerals } from './roman.ts';
import { speakComparisons, speakSigns } from './signs.ts';
import { speakSymbols } from './symbols.ts';

/** @param written - the text before any step */
type Step = (text: string, english: English, written: string) => string;

/** In this order: each step replaces what a later step would misread. */
const STEPS: Step[] = [
  speakSymbols,
  plainCharacters,
  spellAddresses,
  expandAbbreviations,
  speakRomanNumerals,
  speakComparisons,
  speakDates,
  speakTimes,
  speakMoney,
  speakNumbers,
  (text, _, written) => spellAcronyms(text, written),
  speakSigns,
];

/**
 * English text as one would read it aloud: numbers, dates, times, amounts, addresses and abbreviations
 * become words, and text without a sound (emoji, markup) is dropped. Spelled letters become `F.B.I`.
 */
export function normalizeEnglish(text: string, english: English): string {
  return STEPS.reduce((spoken, step) => step(spoken, english, text), text)
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ *\n[\s]*/g, '\n')
    .trim();
}
