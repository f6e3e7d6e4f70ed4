import { jobFault } from '../../../core/protocol/errors.ts';

const MOST_SHOWN = 10;

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
  throw jobFault('text', `has what this voice cannot speak: ${shown.join(', ')}${more}.`);
}
