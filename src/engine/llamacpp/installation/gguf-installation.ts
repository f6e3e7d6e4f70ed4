import { ggufTask } from '../../../core/files/gguf/gguf-task.ts';
import { serverError } from '../../../core/errors/errors.ts';
import { VISION } from '../../../core/catalog/catalog-entry.ts';
import { templateFeatures } from '../../conversation/thinking/template-features.ts';
import type {
  GgufSource,
  Installation,
  LocalSource,
  UrlSource,
  Variant,
} from '../../../core/catalog/variant.ts';
import type { EngineInstaller } from '../../download/installer/engine-installer.ts';
import { hubFiles } from '../../download/hub/hub.ts';
import { ModelFileError } from '../../download/hub/model-file-error.ts';
import type { ReadFile } from '../../download/transfer/read-file.ts';
import { modelFacts, readBlobHeader } from '../model-facts.ts';
import { ggufFileFinder } from './gguf-file-finder.ts';
import { ggufFinder, type GgufPlaces } from './gguf-finder.ts';
import { localInstallation } from './gguf-local.ts';
import { urlInstallation } from './gguf-url.ts';

/** Installs GGUF files from the hub, from any URL, and from this device. */
export function ggufInstaller(
  places: GgufPlaces,
): EngineInstaller<GgufSource | UrlSource | LocalSource> {
  return {
    plan: async (source, signal) => {
      switch (source.kind) {
        case 'hub':
          return hubInstallation(places.hub, source, signal);
        case 'url':
          return urlInstallation(source, signal);
        case 'local':
          return localInstallation(source);
      }
    },
    finder: ggufFinder(places),
    fileFinder: ggufFileFinder(places.device),
    featuresOf,
  };
}

async function hubInstallation(
  hub: string,
  { repository, paths }: GgufSource,
  signal: AbortSignal,
): Promise<Installation> {
  const { sha, files } = await hubFiles(hub, repository, (path) => paths.includes(path), signal);
  const missing = paths.find((path) => !files.some((file) => file.path === path));
  if (missing !== undefined) {
    throw serverError('engine_error', `${repository} on the hub has no ${missing}.`);
  }
  return { revision: sha, files };
}

/** Reads the features again: a hub's file may have changed since its header was read. */
async function featuresOf(read: ReadFile, variant: Variant): Promise<string[]> {
  const [path = ''] = variant.engine === 'llamacpp' ? variant.parts : [];
  const file = await read(path);
  if (!file) throw new ModelFileError(path, 'is missing');
  const header = await readBlobHeader(path, file);
  if (ggufTask(header).task !== 'chat') return [];
  const features = templateFeatures(modelFacts(header).tokenizer.chatTemplate);
  const sees = variant.engine === 'llamacpp' && variant.projector !== undefined;
  return sees ? [...features, VISION] : features;
}
