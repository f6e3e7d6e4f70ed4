import type { Speech } from '../../core/catalog-entry.ts';
import type { ReadFile } from '../cache-shim.ts';
import { KokoroModel } from './kokoro.ts';
import { PiperModel } from './piper.ts';

/** A speech model in memory, whatever its family. */
export interface VoiceModel {
  /** Characters of phonemes that one call takes; more have to be parted. */
  readonly maxPhonemes: number;
  /**
   * @param phonemes - of a sentence or a part of one, in Kokoro's alphabet, at most `maxPhonemes`
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
export function loadVoiceModel({ family }: Speech, read: ReadFile): Promise<VoiceModel> {
  switch (family) {
    case 'kokoro':
      return KokoroModel.load(read);
    case 'piper':
      return PiperModel.load(read);
  }
}
