/** How fast a model was on this device. */
export interface Measurement {
  /** When, Unix milliseconds. */
  at: number;
  /** Of a model that reads text: tokens of a prompt, or of texts, in a second. */
  readTokensPerSecond?: number;
  /** Of a model that writes: tokens in a second. */
  writtenTokensPerSecond?: number;
  /** Of a model that speaks or hears: seconds of sound in a second. */
  soundPerSecond?: number;
}
