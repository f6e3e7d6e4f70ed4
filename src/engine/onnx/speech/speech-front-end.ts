/** The front end of one language. Throws an ApiError 400 for what cannot be spoken. */
export interface SpeechFrontEnd {
  /** The text in words, as one would read it aloud. */
  normalize: (text: string) => string;
  /** Of normalized text, in Kokoro's alphabet; the text itself for a model that reads characters. */
  phonemes: (text: string) => string;
}
