import type { SpeechFrontEnd } from '../speech-front-end.ts';

/** A speech model in memory, of any family. */
export interface VoiceModel {
  /** The most symbols that one call takes. A longer text has to be split. */
  readonly maxSymbols: number;
  /**
   * Makes the front end, which turns a text into the symbols that this model reads.
   *
   * @param language - one of the voice's, as the catalog writes it
   */
  frontEnd(language: string): Promise<SpeechFrontEnd>;
  /**
   * @param symbols - of a sentence or a part of one, from the front end, at most `maxSymbols`
   * @param voice - id of one of the model's voices
   * @returns samples, -1 to 1, mono, at the model's sample rate
   */
  synthesize(symbols: string, voice: string): Promise<Float32Array<ArrayBuffer>>;
  dispose(): Promise<void>;
}
