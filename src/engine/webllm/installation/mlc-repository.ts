import * as v from 'valibot';
import { ApiError, invalidRequest } from '../../../core/errors/errors.ts';
import { sees, VISION, type CatalogEntry } from '../../../core/catalog/catalog-entry.ts';
import type { MlcSource, WebLlmVariant } from '../../../core/catalog/variant.ts';
import { fetchAs, hubFolder, latestCommit, ownerOf } from '../../download/hub/hub.ts';

/** The part of `mlc-chat-config.json` that decides which model library fits. */
const configSchema = v.object({
  model_type: v.string(),
  quantization: v.string(),
  model_config: v.record(v.string(), v.unknown()),
});

type Config = v.InferOutput<typeof configSchema>;

/** MLC's name of the architecture of embedders, which other engines run here. */
const EMBEDDER = 'bert';

/** Fields of `model_config` that are not part of a compiled library's shapes. */
const NOT_COMPILED = new Set([
  'context_window_size',
  'sliding_window_size',
  'attention_sink_size',
  'prefill_chunk_size',
  'max_batch_size',
  'tensor_parallel_shards',
  'pipeline_parallel_stages',
  'max_position_embeddings',
]);

/** The file that makes a repository an MLC model. */
export const MLC_CONFIG = 'mlc-chat-config.json';

/** A variant from the hub, and the entry that it belongs to. */
interface Candidate {
  entry: CatalogEntry;
  variant: WebLlmVariant;
  source: MlcSource;
}

/**
 * Makes an entry for a repository that no list names. It must have MLC's files and fit a model library that
 * was compiled for the same architecture, shape and quantisation. For example, a fine-tuned model runs on
 * the library of its base model.
 *
 * @param hub - URL of the hub, "/" at its end
 * @returns undefined if it is not an MLC model
 * @throws ApiError 404 for an unknown repository, 400 if it is an embedder or no library fits
 */
export async function findMlcRepository(
  repository: string,
  hub: string,
  known: CatalogEntry[],
  signal: AbortSignal,
): Promise<CatalogEntry | undefined> {
  const commit = await latestCommit(hub, repository, signal);
  const config = await mlcConfig(hub, repository, commit, signal);
  if (!config) return undefined;
  if (config.model_type === EMBEDDER) {
    const message =
      `${repository} is an embedder that MLC has compiled. ` +
      'Add a repository of the same model with GGUF files or ONNX graphs instead.';
    throw invalidRequest(message, 'model');
  }
  for (const candidate of candidates(repository, config, known)) {
    const other = await mlcConfig(hub, candidate.source.repository, 'main', signal);
    const isSame = other?.model_type === config.model_type && shapeOf(other) === shapeOf(config);
    if (isSame) return entryLike(candidate, repository);
  }
  throw invalidRequest(
    `${repository} is an MLC model, but no library here was compiled for its shape ` +
      `(${config.model_type}, ${config.quantization}).`,
    'model',
  );
}

/** Variants of the same quantisation, those with the most similar names first. */
function candidates(
  repository: string,
  { quantization }: Config,
  known: CatalogEntry[],
): Candidate[] {
  const words = nameWords(repository);
  const common = ({ source }: Candidate) =>
    nameWords(source.repository).filter((word) => words.includes(word)).length;
  return known
    .flatMap(fromHub)
    .filter(({ variant }) => variant.quantization === quantization)
    .filter(({ source }) => source.repository !== repository)
    .toSorted((a, b) => common(b) - common(a));
}

/** The variants from an entry's own repository. A variant from another repository is in that one's entry, too. */
function fromHub(entry: CatalogEntry): Candidate[] {
  return entry.variants.flatMap((variant) =>
    variant.engine === 'webllm' &&
    variant.source.kind === 'hub' &&
    variant.source.repository === entry.id
      ? [{ entry, variant, source: variant.source }]
      : [],
  );
}

function nameWords(repository: string): string[] {
  return repository.toLowerCase().split(/[-_./]/);
}

function shapeOf({ model_config: config }: Config): string {
  const compiled = Object.entries(config).filter(([name]) => !NOT_COMPILED.has(name));
  return JSON.stringify(compiled.toSorted(([a], [b]) => a.localeCompare(b)));
}

function entryLike({ entry, variant, source }: Candidate, repository: string): CatalogEntry {
  const { id, engine, quantization, needs, modelLibrary, overrides } = variant;
  const like: WebLlmVariant = {
    id,
    engine,
    quantization,
    needs,
    modelLibrary,
    source: { ...source, repository },
    ...(overrides && { overrides }),
  };
  return {
    id: repository,
    task: 'chat',
    created: entry.created,
    variants: [like],
    ownedBy: ownerOf(repository),
    contextLength: entry.contextLength,
    ...(sees(entry) && { features: [VISION] }),
  };
}

/** Undefined if the repository has no such file. */
async function mlcConfig(
  hub: string,
  repository: string,
  commit: string,
  signal: AbortSignal,
): Promise<Config | undefined> {
  const url = new URL(MLC_CONFIG, hubFolder(hub, repository, commit));
  try {
    return await fetchAs(configSchema, url, repository, signal);
  } catch (error) {
    if (error instanceof ApiError && error.data.status === 404) return undefined;
    throw error;
  }
}
