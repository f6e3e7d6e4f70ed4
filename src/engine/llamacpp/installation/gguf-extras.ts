import { ConfigFault, type ReadConfig } from '../../../core/files/model-config.ts';
import { ApiError } from '../../../core/errors/errors.ts';
import { readSentenceExtras } from '../../../core/files/retrieval/sentence-config.ts';
import {
  baseRepository,
  openRepository,
  type Repository,
} from '../../download/hub/hub-repository.ts';
import type { EmbedderExtras } from './gguf-model.ts';

/**
 * What the files of an embedder's repository say beyond its GGUF file. Repositories of GGUF files often lack them:
 * they are then those of the model that it was made of. If that cannot be read, nothing is known, and nothing guessed.
 */
export async function embedderExtras(
  hub: string,
  repository: string,
  signal: AbortSignal,
): Promise<EmbedderExtras> {
  const own = await openRepository(hub, repository, signal);
  const base = await orNothing(() => baseRepository(hub, repository, signal), signal);
  const read: ReadConfig = async (path) => (await own.read(path)) ?? base?.read(path);
  return (await orNothing(() => readSentenceExtras(read), signal)) ?? {};
}

/** A repository that is gone or needs permission is no obstacle, nor is a file that is not as it should be. */
async function orNothing<T extends Repository | EmbedderExtras>(
  work: () => Promise<T | undefined>,
  signal: AbortSignal,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    signal.throwIfAborted();
    const isKnown = error instanceof ConfigFault || error instanceof ApiError;
    if (!isKnown) throw error;
    return undefined;
  }
}
