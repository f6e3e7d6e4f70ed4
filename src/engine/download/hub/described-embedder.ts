import { ConfigFault, type ReadConfig } from '../../../core/files/model-config.ts';
import { ApiError } from '../../../core/errors/errors.ts';
import {
  MODULES,
  readSentenceConfig,
  type SentenceConfig,
} from '../../../core/files/retrieval/sentence-config.ts';
import type { Repository } from './hub-repository.ts';

/** A sentence embedder on the hub, as its files describe it before it is installed. */
export interface DescribedEmbedder {
  config: SentenceConfig;
  /** The repository that `config` was read from. */
  describedBy: Repository;
}

/** No readable file says how an embedder makes its vectors. */
export class Undescribed extends ConfigFault {}

/**
 * Reads how a sentence embedder works. Repositories of converted models often lack the files of
 * sentence-transformers. We then read them from the base model's repository.
 *
 * @param kind - the model's kind, for the error
 * @param base - opens the base model's repository
 * @throws ConfigFault if the files do not say how it works; Undescribed if both repositories lack them
 */
export async function describedEmbedder(
  own: Repository,
  kind: string,
  base: () => Promise<Repository | undefined>,
): Promise<DescribedEmbedder> {
  if (own.paths.includes(MODULES)) return described(own, own);
  return orUndescribed(async () => {
    const describedBy = await base();
    if (describedBy?.paths.includes(MODULES)) return described(own, describedBy);
    throw new Undescribed(
      `it is a model of the ${kind} with neither a ${MODULES} nor a base model that has one`,
    );
  });
}

async function described(own: Repository, describedBy: Repository): Promise<DescribedEmbedder> {
  const read: ReadConfig = async (path) => (await describedBy.read(path)) ?? own.read(path);
  return { config: await readSentenceConfig(read), describedBy };
}

/** The hub lists the files of a gated model, but serves them only to logged-in users with access. */
async function orUndescribed<T>(reading: () => Promise<T>): Promise<T> {
  try {
    return await reading();
  } catch (error) {
    if (!(error instanceof ApiError) || error.data.status !== 404) throw error;
    const message = error.message.replace(/\.$/, '');
    throw new Undescribed(`it has no ${MODULES}, and its base model cannot be read (${message})`);
  }
}
