/** The sounds of English words: a bundle of its own, which only models that read phonemes need. */
export { EnglishPhonemes } from './phonemes.ts';
