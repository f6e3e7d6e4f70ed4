/** Turns texts of one language into what a model reads. Throws an ApiError 400 for what it cannot speak. */
export interface SpeechFrontEnd {
  /** The text in words, as one would read it aloud. */
  normalize: (text: string) => string;
  /** The symbols of normalized text: phonemes in Kokoro's alphabet, or characters. */
  symbols: (text: string) => string;
}
