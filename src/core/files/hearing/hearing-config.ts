import * as v from 'valibot';
import { ConfigFault, MODEL_CONFIG, parsed, type ReadConfig } from '../model-config.ts';
import { readMoonshineConfig, type MoonshineConfig } from './moonshine-config.ts';
import { readWhisperConfig, type WhisperConfig } from './whisper-config.ts';

/** Facts from the files of a model that hears, by its family. */
export type HearingConfig =
  ({ family: 'whisper' } & WhisperConfig) | ({ family: 'moonshine' } & MoonshineConfig);

const modelSchema = v.looseObject({ model_type: v.string() });

/**
 * Reads the files of a model that hears. Nothing is guessed.
 *
 * @throws ConfigFault if they do not say enough, or are of another kind of model
 */
export async function readHearingConfig(read: ReadConfig): Promise<HearingConfig> {
  const { model_type: kind } = await parsed(modelSchema, MODEL_CONFIG, read);
  switch (kind) {
    case 'whisper':
      return { family: kind, ...(await readWhisperConfig(read)) };
    case 'moonshine':
      return { family: kind, ...(await readMoonshineConfig(read)) };
    default:
      throw new ConfigFault(
        `it is a model of the kind '${kind}', and neither Whisper nor Moonshine`,
      );
  }
}
