import type { Speech } from '../../core/catalog-entry.ts';
import type { ReadFile } from '../cache-shim.ts';
import { KokoroModel } from './kokoro.ts';
import { PiperModel } from './piper.ts';
import { SpeechT5Model } from './speecht5.ts';
import { SupertonicModel } from './supertonic.ts';
import type { TextToPhonemes } from './text-to-phonemes.ts';
import { VitsModel } from './vits.ts';

/** A speech model in memory, whatever its family. */
export interface VoiceModel {
  /** Characters of phonemes that one call takes; more have to be parted. */
  readonly maxPhonemes: number;
  /**
   * What turns a text into what this model reads.
   *
   * @param language - one of the voice's, as the catalog has it
   */
  text(language: string): Promise<TextToPhonemes>;
  /**
   * @param phonemes - of a sentence or a part of one, by its front end, at most `maxPhonemes`
   * @param voice - id of one of its voices
   * @returns samples, -1 to 1, mono, at the model's rate
   */
  synthesize(phonemes: string, voice: string): Promise<Float32Array<ArrayBuffer>>;
  dispose(): Promise<void>;
}

/**
 * @param read - gives the model's files
 * @throws ApiError 500 when the files are not those of the family
 */
export function loadVoiceModel(speech: Speech, read: ReadFile): Promise<VoiceModel> {
  switch (speech.family) {
    case 'kokoro':
      return KokoroModel.load(read);
    case 'piper':
      return PiperModel.load(read);
    case 'vits':
      return VitsModel.load(read);
    case 'speecht5':
      return SpeechT5Model.load(read);
    case 'supertonic':
      return SupertonicModel.load(read, speech);
  }
}
