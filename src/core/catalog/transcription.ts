/** The details of a model whose task is `transcription`. */
export interface Transcription {
  /** ISO 639-1 codes (some languages have only three letters, e.g. `haw`) of what it understands. */
  languages: string[];
  /** Whether it also translates into English. */
  translates: boolean;
  /** Whether it can tell when each word was said. */
  timesWords: boolean;
}
