/** How fast a model was on this device. */
export interface Measurement {
  /** When it was measured, Unix milliseconds. */
  at: number;
  /** For a model that reads text: tokens of a prompt, or of texts, in a second. */
  readTokensPerSecond?: number;
  /** For a model that writes: tokens in a second. */
  writtenTokensPerSecond?: number;
  /** For a model that speaks or hears: seconds of sound in a second. */
  soundPerSecond?: number;
}
