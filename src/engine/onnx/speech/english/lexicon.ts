import * as v from 'valibot';
import { inflected } from './endings.ts';
import type { English } from './english.ts';

/**
 * Word → phonemes in Kokoro's alphabet, in the format of misaki's `us_gold.json` and `gb_gold.json`
 * (Apache-2.0). If the phonemes depend on the part of speech, there is an entry for each Penn Treebank tag;
 * `None` is for a word before a pause.
 */
export const lexiconSchema = v.record(
  v.string(),
  v.union([v.string(), v.record(v.string(), v.nullable(v.string()))]),
);

export type Lexicon = v.InferOutput<typeof lexiconSchema>;

/** Looks words up in a dictionary. Words with the endings -s, -ed and -ing are derived by rule. */
export class EnglishLexicon {
  readonly #words: Lexicon;
  readonly #english: English;

  constructor(words: Lexicon, english: English) {
    this.#words = words;
    this.#english = english;
  }

  /**
   * @param beforePause - no word follows before the next punctuation mark
   * @returns phonemes; undefined for a word that is neither listed nor derived from a listed word
   */
  find(word: string, beforePause: boolean): string | undefined {
    const bare = word.replace(/'$/, '');
    const known = (spelling: string) => this.#known(spelling, beforePause);
    return known(bare) ?? inflected(bare.toLowerCase(), this.#english, known);
  }

  #known(word: string, beforePause: boolean): string | undefined {
    const lower = word.toLowerCase();
    const capitalised = lower.charAt(0).toUpperCase() + lower.slice(1);
    for (const spelling of [word, lower, capitalised, word.toUpperCase()]) {
      // Every object inherits `constructor`, which is a word too.
      const sound = Object.hasOwn(this.#words, spelling) ? this.#words[spelling] : undefined;
      if (typeof sound === 'string') return sound;
      const chosen = (beforePause ? sound?.['None'] : undefined) ?? sound?.['DEFAULT'];
      if (chosen !== undefined && chosen !== null) return chosen;
    }
    return undefined;
  }
}
