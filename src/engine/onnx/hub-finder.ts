import { invalidRequest } from '../../core/errors/errors.ts';
import { graphsOf } from '../../core/files/onnx/graph-file.ts';
import { HEARING_GRAPHS } from '../../core/files/hearing/whisper-config.ts';
import { ConfigFault } from '../../core/files/model-config.ts';
import type { CatalogEntry } from '../../core/catalog/catalog-entry.ts';
import type { HubFinder } from '../download/installer/engine-installer.ts';
import {
  baseRepository,
  openRepository,
  repositoryLanguages,
  type Repository,
} from '../download/hub/hub-repository.ts';
import { hearingEntry } from './hearing/hub-hearing.ts';
import { retrievalEntry } from './retrieval/hub-retrieval.ts';

/**
 * Finds models with ONNX graphs on the hub: sentence embedders, cross-encoders, and speech recognisers.
 *
 * @param hub - its URL, "/" at its end
 */
export function onnxFinder(hub: string): HubFinder {
  return {
    marker: 'onnx/model.onnx or onnx/encoder_model.onnx',
    async find({ repository, file }, _known, signal) {
      // A single file of a repository is not a whole model.
      if (file !== undefined) return undefined;
      const own = await openRepository(hub, repository, signal);
      try {
        const entry = await entryOf(own, {
          base: () => baseRepository(hub, repository, signal),
          languages: () => repositoryLanguages(hub, repository, signal),
        });
        return entry && { entry };
      } catch (error) {
        if (!(error instanceof ConfigFault)) throw error;
        throw invalidRequest(`${repository} cannot be used: ${error.message}.`, 'model');
      }
    },
  };
}

/** What the hub knows about a repository beside its files. */
interface FurtherFacts {
  base: () => Promise<Repository | undefined>;
  languages: () => Promise<string[]>;
}

/** Undefined if the repository has no graphs. */
async function entryOf(
  own: Repository,
  { base, languages }: FurtherFacts,
): Promise<CatalogEntry | undefined> {
  const hearing = graphsOf(own.paths, HEARING_GRAPHS);
  if (hearing.length > 0) return hearingEntry(own, hearing, languages);
  const graphs = graphsOf(own.paths);
  return graphs.length > 0 ? retrievalEntry(own, graphs, base) : undefined;
}
