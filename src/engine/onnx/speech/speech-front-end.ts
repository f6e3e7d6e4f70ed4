/** Turns texts of one language into the symbols that a model reads. Throws ApiError 400 if it cannot speak a text. */
export interface SpeechFrontEnd {
  /** The text in words, as one would read it aloud. */
  normalize: (text: string) => string;
  /** The symbols of normalized text: phonemes in Kokoro's alphabet, or characters. */
  symbols: (text: string) => string;
}
