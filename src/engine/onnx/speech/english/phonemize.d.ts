/** The package has no type declarations for this entry point. */
declare module 'phonemize/en-g2p' {
  export class EnglishG2P {
    /** IPA of one word, or null where it finds none. */
    predict(word: string, language?: 'en-US' | 'en-GB'): string | null;
  }
}
