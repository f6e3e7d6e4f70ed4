import { serverError } from '../../../core/errors/errors.ts';
import { VISION } from '../../../core/catalog/catalog-entry.ts';
import { templateFeatures } from '../../conversation/thinking/template-features.ts';
import type { Installation, MlcSource } from '../../../core/catalog/variant.ts';
import { readTokenizerFacts } from '../../conversation/prompt/tokenizer-files.ts';
import type { EngineInstaller } from '../../download/installer/engine-installer.ts';
import { hubFetch, hubFiles } from '../../download/hub/hub.ts';
import { seesImages } from './mlc-chat-config.ts';
import { findMlcRepository, MLC_CONFIG } from './mlc-repository.ts';

/** Where MLC models come from; both end in "/". */
export interface MlcPlaces {
  hub: string;
  /** Folder of WebLLM's model libraries, which are not on the hub. */
  libraries: string;
}

/** Path of the model library among the files of an installed hub model. */
export const LIBRARY_PATH = 'model.wasm';

/** Without these, WebLLM cannot load a model. */
const REQUIRED = [MLC_CONFIG, 'tensor-cache.json', 'params_shard_0.bin'];

/** The files that WebLLM and the chat template read, besides the weights. */
const NEEDED = new Set([
  ...[MLC_CONFIG, 'tensor-cache.json'],
  ...['tokenizer.json', 'tokenizer.model', 'tokenizer_config.json', 'chat_template.jinja'],
]);

/** Installs MLC models from the hub. */
export function mlcInstaller(places: MlcPlaces): EngineInstaller<MlcSource> {
  return {
    plan: (source, signal) => mlcInstallation(places, source, signal),
    finder: {
      marker: MLC_CONFIG,
      async find({ repository, file }, known, signal) {
        // An MLC model is a whole repository.
        if (file !== undefined) return undefined;
        const entry = await findMlcRepository(repository, places.hub, known, signal);
        return entry && { entry };
      },
    },
    featuresOf: async (read) => {
      const features = templateFeatures((await readTokenizerFacts(read)).chatTemplate);
      return (await seesImages(read)) ? [...features, VISION] : features;
    },
  };
}

async function mlcInstallation(
  { hub, libraries }: MlcPlaces,
  { repository, library }: MlcSource,
  signal: AbortSignal,
): Promise<Installation> {
  const isNeeded = (path: string) => NEEDED.has(path) || /^params_shard_\d+\.bin$/.test(path);
  const { sha, files } = await hubFiles(hub, repository, isNeeded, signal);
  requireComplete(repository, files);
  const wasm = await libraryFile(new URL(library, libraries), repository, signal);
  return { revision: sha, files: [...files, wasm] };
}

/** Fails before gigabytes are downloaded. */
function requireComplete(repository: string, files: { path: string }[]): void {
  const missing = REQUIRED.find((needed) => !files.some(({ path }) => path === needed));
  if (missing === undefined) return;
  throw serverError('engine_error', `WebLLM cannot run ${repository}: it has no ${missing}.`);
}

/** The hashes of model libraries are not published. Their sizes are known from the headers. */
async function libraryFile(
  url: URL,
  repository: string,
  signal: AbortSignal,
): Promise<Installation['files'][number]> {
  const response = await hubFetch(url, repository, { signal, method: 'HEAD' });
  const size = Number(response.headers.get('content-length') ?? 0);
  // The length of a compressed transfer is not the file's size.
  const isExact = response.headers.get('content-encoding') === null;
  return { path: LIBRARY_PATH, size: isExact ? size : 0, url: url.href };
}
