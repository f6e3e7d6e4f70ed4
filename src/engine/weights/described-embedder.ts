import { ConfigFault, type ReadConfig } from '../../core/model-config.ts';
import {
  MODULES,
  readSentenceConfig,
  type SentenceConfig,
} from '../../core/retrieval/sentence-config.ts';
import type { Repository } from './hub-repository.ts';

/** What is known of a sentence embedder on the hub before it is installed. */
export interface DescribedEmbedder {
  config: SentenceConfig;
  /** The repository whose files say it. */
  describedBy: Repository;
}

/**
 * Reads how a sentence embedder works. Repositories with converted models often lack the files of
 * sentence-transformers: those are then taken from the model that they were made of.
 *
 * @param kind - of the model, for the error
 * @param base - finds the model that it was made of
 * @throws ConfigFault if the files do not say how it works
 */
export async function describedEmbedder(
  own: Repository,
  kind: string,
  base: () => Promise<Repository | undefined>,
): Promise<DescribedEmbedder> {
  const describedBy = own.paths.includes(MODULES) ? own : await base();
  if (!describedBy?.paths.includes(MODULES)) {
    throw new ConfigFault(
      `it is a model of the ${kind} with neither a ${MODULES} nor a base model that has one`,
    );
  }
  const read: ReadConfig = async (path) => (await describedBy.read(path)) ?? own.read(path);
  return { config: await readSentenceConfig(read), describedBy };
}
