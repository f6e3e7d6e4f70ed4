import type { Speech } from '../../../../core/catalog/speech.ts';
import type { ReadFile } from '../../../download/transfer/read-file.ts';
import { KokoroModel } from './kokoro.ts';
import { PiperModel } from './piper.ts';
import { SpeechT5Model } from './speecht5.ts';
import { SupertonicModel } from './supertonic.ts';
import type { VoiceModel } from './voice-model.ts';
import { VitsModel } from './vits.ts';

/**
 * Loads a model of any family.
 *
 * @param read - gives the model's files
 * @throws ApiError 500 if a file is missing, ValiError if it does not have the family's format
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
