import * as v from 'valibot';
import { serverError } from '../../../core/errors/errors.ts';
import { type ReadFile, readJson } from '../../download/transfer/read-file.ts';
import { requireSpeakable } from './require-speakable.ts';
import type { SpeechFrontEnd } from './speech-front-end.ts';
import { lexiconSchema, type Lexicon } from './english/lexicon.ts';
import { normalizeEnglish } from './english/normalization/normalize.ts';
import type { English } from './english/english.ts';
import { loadEnglish } from './load-english.ts';

const LANGUAGES: readonly English[] = ['en-US', 'en-GB'];

/**
 * The front end of a model that reads phonemes.
 *
 * @param language - BCP-47, as the catalog writes it
 * @param read - gives the model's files; a lexicon is optional
 * @throws ApiError 500 for a language without a front end, or if its script cannot be loaded
 */
export async function textToPhonemes(language: string, read: ReadFile): Promise<SpeechFrontEnd> {
  const english = LANGUAGES.find((known) => known === language);
  if (!english)
    throw serverError('engine_error', `There are no phonemes for texts in ${language}.`);
  const [{ EnglishPhonemes }, words] = await Promise.all([loadEnglish(), lexicon(english, read)]);
  const pronunciation = new EnglishPhonemes(english, words);
  return {
    normalize: (text) => {
      const written = normalizeEnglish(text, english);
      requireSpeakable(written, isLatin);
      return written;
    },
    symbols: (text) => pronunciation.phonemes(text),
  };
}

/** Letters of other scripts have no sound in English. */
function isLatin(character: string): boolean {
  return /\p{Script=Latin}/u.test(character);
}

async function lexicon(language: English, read: ReadFile): Promise<Lexicon> {
  const path = `lexicon/${language}.json`;
  return (await read(path)) ? v.parse(lexiconSchema, await readJson(read, path)) : {};
}
