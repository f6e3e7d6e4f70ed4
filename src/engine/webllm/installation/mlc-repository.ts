import * as v from 'valibot';
import { ConfigFault } from '../../../core/files/model-config.ts';
import { ApiError, invalidRequest } from '../../../core/errors/errors.ts';
import { sees, VISION, type CatalogEntry } from '../../../core/catalog/catalog-entry.ts';
import type { MlcSource, WebLlmVariant } from '../../../core/catalog/variant.ts';
import { fetchAs, hubFolder, latestCommit, ownerOf } from '../../download/hub/hub.ts';
import { mlcEmbedder } from '../retrieval/mlc-embedder.ts';

/** The part of `mlc-chat-config.json` that decides which model library fits. */
const configSchema = v.object({
  model_type: v.string(),
  quantization: v.string(),
  model_config: v.record(v.string(), v.unknown()),
});

type Config = v.InferOutput<typeof configSchema>;

const CONTEXT = 'context_window_size';

/** Fields of `model_config` that are not part of a compiled library's shapes. */
const NOT_COMPILED = new Set([
  CONTEXT,
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
 * @throws ApiError 404 for an unknown repository, 400 if no library fits or its files do not say how it works
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
  for (const candidate of candidates(repository, config, known)) {
    const other = await mlcConfig(hub, candidate.source.repository, 'main', signal);
    if (other && fits(candidate, other, config)) {
      return candidate.entry.task === 'embedding'
        ? embedderLike(candidate, repository, config, hub, signal)
        : { ...entryLike(candidate, repository), task: 'chat' };
    }
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

function fits({ entry: { task } }: Candidate, a: Config, b: Config): boolean {
  const isSame = a.model_type === b.model_type && shapeOf(a) === shapeOf(b);
  // The positions of an encoder are a table among its weights.
  return isSame && (task !== 'embedding' || a.model_config[CONTEXT] === b.model_config[CONTEXT]);
}

function shapeOf({ model_config: config }: Config): string {
  const compiled = Object.entries(config).filter(([name]) => !NOT_COMPILED.has(name));
  return JSON.stringify(compiled.toSorted(([a], [b]) => a.localeCompare(b)));
}

async function embedderLike(
  candidate: Candidate,
  repository: string,
  { model_type: architecture }: Config,
  hub: string,
  signal: AbortSignal,
): Promise<CatalogEntry> {
  try {
    const { embedding, contextLength, describedBy } = await mlcEmbedder(
      ...([hub, repository, architecture, signal] as const),
    );
    const entry = entryLike(
      { ...candidate, source: { ...candidate.source, describedBy } },
      repository,
    );
    const tokens = Math.min(contextLength, entry.contextLength);
    return { ...entry, task: 'embedding', embedding, contextLength: tokens };
  } catch (error) {
    if (!(error instanceof ConfigFault)) throw error;
    throw invalidRequest(`${repository} cannot be used: ${error.message}.`, 'model');
  }
}

function entryLike({ entry, variant, source }: Candidate, repository: string) {
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
