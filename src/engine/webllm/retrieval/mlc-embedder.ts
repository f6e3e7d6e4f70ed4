import { ConfigFault } from '../../../core/files/model-config.ts';
import { MODULES, type SentenceConfig } from '../../../core/files/retrieval/sentence-config.ts';
import type { EmbeddingModel } from '../../../core/catalog/catalog-entry.ts';
import { describedEmbedder } from '../../download/hub/described-embedder.ts';
import { baseRepository, openRepository } from '../../download/hub/hub-repository.ts';

/** Facts about an embedder, from the files of its repository or its base model's. */
export interface MlcEmbedder extends Pick<EmbeddingModel, 'embedding' | 'contextLength'> {
  /** See MlcSource. */
  describedBy: string;
}

/**
 * Reads how an MLC embedder works. Its own repository rarely says it, but names the base model.
 *
 * @param hub - URL of the hub, "/" at its end
 * @param architecture - MLC's name of it, for the error
 * @throws ConfigFault if the files do not say enough, or WebLLM cannot do what they say
 */
export async function mlcEmbedder(
  hub: string,
  repository: string,
  architecture: string,
  signal: AbortSignal,
): Promise<MlcEmbedder> {
  const own = await openRepository(hub, repository, signal);
  const base = () => baseRepository(hub, repository, signal);
  const { config, describedBy } = await describedEmbedder(own, `kind ${architecture}`, base);
  requirePlain(config);
  const { embedding, maxTokens } = config;
  return { embedding, contextLength: maxTokens, describedBy: describedBy.name };
}

/** @throws ConfigFault if the pooled vectors need a further module: model libraries contain none */
export function requirePlain({ furtherModules: [further] }: SentenceConfig): void {
  if (further === undefined) return;
  throw new ConfigFault(`its ${MODULES} has ${further}, which no model library contains`);
}
