import { guessPhonemes } from './guess.ts';
import { EnglishLexicon, type Lexicon } from './lexicon.ts';
import type { English } from './english.ts';

const VOWEL = /^[ˈˌ]?[AIOQWYaiuæɑɒɔəɐɛɜɪʊʌᵻ]/;
/** A word, with apostrophes and dots inside it, or one punctuation mark that Kokoro reads. */
const TOKEN = /\p{L}[\p{L}\p{M}]*(?:['.]\p{L}[\p{L}\p{M}]*)*'?|[;:,.!?—…"()“”]/gu;

const LETTERS: Record<string, string> = {
  A: 'ˈA',
  B: 'bˈi',
  C: 'sˈi',
  D: 'dˈi',
  E: 'ˈi',
  F: 'ˈɛf',
  G: 'ʤˈi',
  H: 'ˈAʧ',
  I: 'ˈI',
  J: 'ʤˈA',
  K: 'kˈA',
  L: 'ˈɛl',
  M: 'ˈɛm',
  N: 'ˈɛn',
  O: 'ˈO',
  P: 'pˈi',
  Q: 'kjˈu',
  R: 'ˈɑɹ',
  S: 'ˈɛs',
  T: 'tˈi',
  U: 'jˈu',
  V: 'vˈi',
  W: 'dˈʌbᵊlju',
  X: 'ˈɛks',
  Y: 'wˈI',
  Z: 'zˈi',
};
/** Only the letters that differ. */
const BRITISH_LETTERS: Record<string, string> = { O: 'ˈQ', R: 'ˈɑː', Z: 'zˈɛd' };

/** English words to phonemes, in the alphabet that Kokoro was trained on. */
export class EnglishPhonemes {
  readonly #english: English;
  readonly #lexicon: EnglishLexicon;

  /** @param lexicon - without one, each word is guessed from its spelling: understandable, but accented */
  constructor(english: English, lexicon: Lexicon = {}) {
    this.#english = english;
    this.#lexicon = new EnglishLexicon(lexicon, english);
  }

  /**
   * @param text - as `normalizeEnglish` gives it: no figures, no abbreviations
   * @returns phonemes with spaces between words, and punctuation; empty if nothing can be spoken
   */
  phonemes(text: string): string {
    const tokens = text.match(TOKEN) ?? [];
    const sounds: string[] = [];
    // From the end, because the sound of a word depends on the next word.
    let next = '';
    for (const token of tokens.toReversed()) {
      next = /^\p{L}/u.test(token) ? this.#word(token, next) : token;
      if (next !== '') sounds.push(next);
    }
    return (
      sounds
        .reverse()
        .join(' ')
        .replace(/ (?=[;:,.!?…)”])|(?<=[(“]) /g, '')
        // Kokoro's speech has T for the flap and no glottal stop.
        .replaceAll('ɾ', 'T')
        .replaceAll('ʔ', 't')
    );
  }

  #word(word: string, next: string): string {
    const beforePause = next === '' || !/\p{L}|[ˈˌ]/u.test(next.charAt(0));
    if (/^\p{Lu}(?:\.\p{Lu})+(?:'?s)?$/u.test(word)) return this.#spelled(word);
    const weak = weakForm(word, beforePause, VOWEL.test(next));
    if (weak !== undefined) return weak;
    if (/^\p{Lu}$/u.test(word)) return this.#letter(word);
    const plain = word.normalize('NFD').replace(/\p{M}/gu, '');
    const found = this.#lexicon.find(word, beforePause) ?? this.#lexicon.find(plain, beforePause);
    return found ?? guessPhonemes(plain, this.#english);
  }

  /** `F.B.I`: the last letter has the stress. */
  #spelled(word: string): string {
    const letters = word.replace(/[^\p{Lu}]/gu, '');
    const sounds = Array.from(letters, (letter) => this.#letter(letter));
    const last = sounds.pop() ?? '';
    const plural = word.endsWith('s') ? 'z' : '';
    return sounds.map((sound) => sound.replace('ˈ', 'ˌ')).join('') + last + plural;
  }

  #letter(letter: string): string {
    const british = this.#english === 'en-GB' ? BRITISH_LETTERS[letter] : undefined;
    return british ?? LETTERS[letter] ?? '';
  }
}

/** Unstressed words, whose sound depends on what follows. */
function weakForm(word: string, beforePause: boolean, beforeVowel: boolean): string | undefined {
  switch (word) {
    case 'I':
      return 'ˌI';
    case 'a':
    case 'A':
      return beforePause ? 'ˈA' : 'ɐ';
    case 'an':
    case 'An':
      return 'ɐn';
    case 'the':
    case 'The':
      return beforeVowel ? 'ði' : 'ðə';
    case 'to':
    case 'To':
      return beforePause ? undefined : beforeVowel ? 'tʊ' : 'tə';
    case 'in':
    case 'In':
      return beforePause ? 'ˈɪn' : 'ɪn';
    default:
      return undefined;
  }
}
