import { jobFault } from '../../../core/errors/errors.ts';

const MAX_SHOWN = 10;

/**
 * Speech may leave out punctuation and emoji, but no letters and digits.
 *
 * @param knows - whether the voice can speak a character
 * @throws ApiError 400 that names the characters that cannot be spoken
 */
export function requireSpeakable(text: string, knows: (character: string) => boolean): void {
  const characters = new Set(text.match(/[\p{L}\p{N}]/gu));
  const unknown = [...characters].filter((character) => !knows(character));
  if (unknown.length === 0) return;
  const shown = unknown.slice(0, MAX_SHOWN).map((character) => `“${character}”`);
  const more = unknown.length > MAX_SHOWN ? ' and more' : '';
  throw jobFault(
    'text',
    `contains characters that this voice cannot speak: ${shown.join(', ')}${more}.`,
  );
}
