import * as v from 'valibot';
import { ApiError, invalidRequest } from '../../core/protocol/errors.ts';
import type { CatalogEntry, HubSource } from '../../core/stores/catalog-entry.ts';
import { fetchAs, hubFolder, latestCommit, type Hub } from '../weights/hub.ts';

/** The part of `mlc-chat-config.json` that decides which model library fits. */
const configSchema = v.object({
  model_type: v.string(),
  quantization: v.string(),
  model_config: v.record(v.string(), v.unknown()),
});

type Config = v.InferOutput<typeof configSchema>;

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

type HubEntry = CatalogEntry & { source: HubSource };

/**
 * Makes an entry for a repository that no list names. It has MLC's files and runs on a model
 * library that was compiled for the same architecture, shape and quantisation, as a fine-tuned
 * model runs on the library of its base model.
 *
 * @throws ApiError 404 for an unknown repository, 400 if it is not an MLC model or no library fits
 */
export async function findOnHub(
  repository: string,
  { hub }: Hub,
  known: CatalogEntry[],
  signal: AbortSignal,
): Promise<CatalogEntry> {
  const commit = await latestCommit(hub, repository, signal);
  const config = await mlcConfig(hub, repository, commit, signal);
  if (!config) {
    throw invalidRequest(
      `${repository} is not an MLC model: it has no mlc-chat-config.json.`,
      'model',
    );
  }
  for (const entry of candidates(repository, config, known)) {
    const other = await mlcConfig(hub, entry.source.repository, 'main', signal);
    if (other && hasSameShape(other, config)) return entryLike(entry, repository);
  }
  throw invalidRequest(
    `${repository} is an MLC model, but no library here was compiled for its shape ` +
      `(${config.model_type}, ${config.quantization}).`,
    'model',
  );
}

/** Entries of the same quantisation, those with the most similar names first. */
function candidates(
  repository: string,
  { quantization }: Config,
  known: CatalogEntry[],
): HubEntry[] {
  const words = nameWords(repository);
  const common = ({ source }: HubEntry) =>
    nameWords(source.repository).filter((word) => words.includes(word)).length;
  return known
    .filter((entry): entry is HubEntry => entry.source.kind === 'hub')
    .filter(
      (entry) => entry.quantization === quantization && entry.source.repository !== repository,
    )
    .toSorted((a, b) => common(b) - common(a));
}

function nameWords(repository: string): string[] {
  return repository.toLowerCase().split(/[-_./]/);
}

function hasSameShape(a: Config, b: Config): boolean {
  return a.model_type === b.model_type && shapeOf(a) === shapeOf(b);
}

function shapeOf({ model_config: config }: Config): string {
  const compiled = Object.entries(config).filter(([name]) => !NOT_COMPILED.has(name));
  return JSON.stringify(compiled.toSorted(([a], [b]) => a.localeCompare(b)));
}

function entryLike(entry: HubEntry, repository: string): CatalogEntry {
  const { installed: _, bytes: __, features: ___, license: ____, ...rest } = entry;
  const ownedBy = repository.split('/')[0] ?? '';
  return { ...rest, id: repository, ownedBy, source: { ...entry.source, repository }, added: true };
}

/** Undefined if the repository has none. */
async function mlcConfig(
  hub: string,
  repository: string,
  commit: string,
  signal: AbortSignal,
): Promise<Config | undefined> {
  const url = new URL('mlc-chat-config.json', hubFolder(hub, repository, commit));
  try {
    return await fetchAs(configSchema, url, repository, signal);
  } catch (error) {
    if (error instanceof ApiError && error.data.status === 404) return undefined;
    throw error;
  }
}
