import { requireSpeakable } from './require-speakable.ts';
import { normalizeEnglish } from './english/normalize.ts';
import type { English } from './english/english.ts';
import type { SpeechFrontEnd } from './speech-front-end.ts';

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
): SpeechFrontEnd {
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

function englishOf(language: string): English | undefined {
  const { language: code, region } = new Intl.Locale(language);
  if (code !== 'en') return undefined;
  return region === 'GB' ? 'en-GB' : 'en-US';
}
