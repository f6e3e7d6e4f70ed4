import { requireSpeakable } from '../require-speakable.ts';
import { normalizeEnglish } from '../english/normalization/normalize.ts';
import type { English } from '../english/english.ts';
import type { SpeechFrontEnd } from '../speech-front-end.ts';

/**
 * The front end of a model that reads characters: its symbols are the text. In English, figures and
 * abbreviations are written in words first.
 *
 * @param language - BCP-47
 * @param knows - whether the model's vocabulary has a character
 * @param tag - puts the tags around a text that the model expects
 */
export function characterText(
  language: string,
  knows: (character: string) => boolean,
  tag: (text: string) => string = (text) => text,
): SpeechFrontEnd {
  const english = englishOf(language);
  return {
    normalize: (text) => {
      const written = english ? normalizeEnglish(text, english) : text.normalize('NFC');
      requireSpeakable(written, knows);
      return written;
    },
    symbols: tag,
  };
}

function englishOf(language: string): English | undefined {
  const { language: code, region } = new Intl.Locale(language);
  if (code !== 'en') return undefined;
  return region === 'GB' ? 'en-GB' : 'en-US';
}
