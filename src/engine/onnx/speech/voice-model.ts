import type { SpeechFrontEnd } from './speech-front-end.ts';

/** A speech model in memory, whatever its family. */
export interface VoiceModel {
  /** Characters of phonemes that one call takes; more have to be parted. */
  readonly maxPhonemes: number;
  /**
   * What turns a text into what this model reads.
   *
   * @param language - one of the voice's, as the catalog has it
   */
  text(language: string): Promise<SpeechFrontEnd>;
  /**
   * @param phonemes - of a sentence or a part of one, by its front end, at most `maxPhonemes`
   * @param voice - id of one of its voices
   * @returns samples, -1 to 1, mono, at the model's rate
   */
  synthesize(phonemes: string, voice: string): Promise<Float32Array<ArrayBuffer>>;
  dispose(): Promise<void>;
}
