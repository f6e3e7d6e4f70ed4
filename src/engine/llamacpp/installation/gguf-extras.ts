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
 * Reads facts about an embedder that its GGUF file lacks. GGUF repositories often lack the files that have them. We
 * then read those from the base model's repository. If that cannot be read, the facts stay unknown.
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

/** Returns undefined if the repository is gone or needs permission, or if a file is malformed. */
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
