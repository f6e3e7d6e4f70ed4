import { readHearingConfig } from '../../../../core/files/hearing/hearing-config.ts';
import type { InstalledModel } from '../../../download/installer/installed-model.ts';
import { configReader, readingConfigs } from '../../../download/hub/read-configs.ts';
import type { ReadFile } from '../../../download/transfer/read-file.ts';
import { Moonshine } from './moonshine.ts';
import type { Recogniser } from './recogniser.ts';
import { Whisper } from './whisper.ts';

/**
 * Loads a speech recogniser. A new family is one more adapter here.
 *
 * @throws ApiError 500 `model_unusable` if its files do not say how it works
 */
export async function openRecogniser(model: InstalledModel, read: ReadFile): Promise<Recogniser> {
  const config = await readingConfigs(model.entry.id, () => readHearingConfig(configReader(read)));
  switch (config.family) {
    case 'whisper':
      return Whisper.open(config, model, read);
    case 'moonshine':
      return Moonshine.open(config, model, read);
  }
}
