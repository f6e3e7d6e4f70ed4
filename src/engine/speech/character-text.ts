import { invalidRequest } from '../../core/errors.ts';
import { normalizeEnglish, type English } from './english/normalize.ts';
import type { TextToPhonemes } from './text-to-phonemes.ts';

/**
 * The front end of a model that reads characters by itself: the text stays as it is, in English with its
 * figures and abbreviations in words.
 *
 * @param language - BCP-47
 * @param knows - whether the model's vocabulary has a character
 * @param mark - what the model wants to see around a piece of text
 */
export function characterText(
  language: string,
  knows: (character: string) => boolean,
  mark: (text: string) => string = (text) => text,
): TextToPhonemes {
  const english = englishOf(language);
  return {
    normalize: (text) => {
      const written = english ? normalizeEnglish(text, english) : text.normalize('NFC');
      requireSpeakable(written, knows);
      return written;
    },
    phonemes: mark,
  };
}

/**
 * Punctuation and pictures may be left out of a speech, letters and figures may not.
 *
 * @throws ApiError 400 that names what cannot be spoken
 */
export function requireSpeakable(text: string, knows: (character: string) => boolean): void {
  const characters = new Set(text.match(/[\p{L}\p{N}]/gu));
  const unknown = [...characters].filter((character) => !knows(character));
  if (unknown.length === 0) return;
  const shown = unknown.slice(0, MOST_SHOWN).map((character) => `“${character}”`);
  const more = unknown.length > MOST_SHOWN ? ' and more' : '';
  throw invalidRequest(
    `'input' has what this voice cannot speak: ${shown.join(', ')}${more}.`,
    'input',
  );
}

const MOST_SHOWN = 10;

function englishOf(language: string): English | undefined {
  const { language: code, region } = new Intl.Locale(language);
  if (code !== 'en') return undefined;
  return region === 'GB' ? 'en-GB' : 'en-US';
}
