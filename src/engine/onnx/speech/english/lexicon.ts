import * as v from 'valibot';
import { inflected } from './endings.ts';
import type { English } from './english.ts';

/**
 * Word → phonemes in Kokoro's alphabet, as the files `us_gold.json` and `gb_gold.json` of misaki have
 * them (Apache-2.0). A word that sounds different as another part of speech has one entry for each, by
 * Penn Treebank tags; `None` is its sound before a pause.
 */
export const lexiconSchema = v.record(
  v.string(),
  v.union([v.string(), v.record(v.string(), v.nullable(v.string()))]),
);

export type Lexicon = v.InferOutput<typeof lexiconSchema>;

/** Pronunciations by dictionary; the endings -s, -ed and -ing are formed by rule. */
export class EnglishLexicon {
  readonly #words: Lexicon;
  readonly #english: English;

  constructor(words: Lexicon, english: English) {
    this.#words = words;
    this.#english = english;
  }

  /**
   * @param beforePause - no word follows before the next punctuation mark
   * @returns undefined for a word that neither is there nor is formed from one that is
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
