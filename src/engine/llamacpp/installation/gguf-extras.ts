import * as v from 'valibot';
import type { DefaultSampling } from '../../../core/catalog/variant.ts';
import {
  ConfigFault,
  GENERATION_CONFIG,
  optional,
  type ReadConfig,
} from '../../../core/files/model-config.ts';
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
  const read = await openConfigs(hub, repository, signal);
  return (await orNothing(() => readSentenceExtras(read), signal)) ?? {};
}

/** Reads how the makers of a model sample it, where its GGUF file does not say; undefined: they don't say either. */
export async function makersSampling(
  hub: string,
  repository: string,
  signal: AbortSignal,
): Promise<DefaultSampling | undefined> {
  const read = async () => {
    const configs = await openConfigs(hub, repository, signal);
    return generationSampling(await optional(generationSchema, GENERATION_CONFIG, configs));
  };
  return orNothing(read, signal);
}

const amount = v.nullish(v.number());

const generationSchema = v.object({
  temperature: amount,
  top_p: amount,
  top_k: amount,
  min_p: amount,
  repetition_penalty: amount,
});

function generationSampling(
  config: v.InferOutput<typeof generationSchema> | undefined,
): DefaultSampling | undefined {
  if (!config) return undefined;
  const { temperature, top_p: topP, top_k: topK, min_p: minP } = config;
  const { repetition_penalty: repetitionPenalty } = config;
  return {
    ...(temperature != null && { temperature }),
    ...(topP != null && { topP }),
    // 0 means all tokens.
    ...(topK != null && topK > 0 && { topK }),
    ...(minP != null && { minP }),
    ...(repetitionPenalty != null && repetitionPenalty > 0 && { repetitionPenalty }),
  };
}

/** Reads the files of a repository, and those that it lacks from its base model's. */
async function openConfigs(
  hub: string,
  repository: string,
  signal: AbortSignal,
): Promise<ReadConfig> {
  const own = await openRepository(hub, repository, signal);
  const base = await orNothing(() => baseRepository(hub, repository, signal), signal);
  return async (path) => (await own.read(path)) ?? base?.read(path);
}

/** Returns undefined if the repository is gone or needs permission, or if a file is malformed. */
async function orNothing<T extends Repository | EmbedderExtras | DefaultSampling>(
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
