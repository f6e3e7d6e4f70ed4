import * as v from 'valibot';
import { invalidRequest } from '../../src/core/errors/errors.ts';
import type { NewMember, Ranking } from '../../src/core/operations/jobs/store-jobs.ts';
import type { ChunkSize } from '../../src/core/retrieval/divide-text.ts';
import {
  flag,
  integerBetween,
  integerIn,
  metadata,
  model,
  nonEmptyText,
  number,
  numberIn,
  object,
  optional,
  plainObject,
  text,
} from '../http/fields.ts';
import { checkAttributes } from './attributes.ts';

/** Limits of OpenAI's API. */
const MOST_FILES = 2_000;
const MOST_QUERIES = 8;

const NOT_JSON = 'must be a JSON object';

const fileId = nonEmptyText;
const chunkingStrategy = object({
  type: v.picklist(['auto', 'static'], 'must be auto or static'),
  static: optional(
    object({
      max_chunk_size_tokens: integerBetween(100, 4_096),
      chunk_overlap_tokens: integerBetween(0, 4_096),
    }),
  ),
});
const expiresAfter = object({
  anchor: v.literal('last_active_at', 'must be last_active_at'),
  days: integerBetween(1, 365),
});

export const storeSchema = object(
  {
    name: optional(text),
    description: optional(text),
    metadata: optional(metadata),
    file_ids: optional(v.array(fileId, 'must be an array')),
    chunking_strategy: optional(chunkingStrategy),
    expires_after: optional(expiresAfter),
    embedding_model: optional(model),
  },
  NOT_JSON,
);

export const storeChangeSchema = object(
  { name: optional(text), metadata: optional(metadata), expires_after: optional(expiresAfter) },
  NOT_JSON,
);

const memberEntries = {
  file_id: fileId,
  attributes: optional(plainObject),
  chunking_strategy: optional(chunkingStrategy),
};
export const memberSchema = object(memberEntries, NOT_JSON);
export const memberChangeSchema = object({ attributes: plainObject }, NOT_JSON);

export const batchSchema = object(
  {
    file_ids: optional(v.array(fileId, 'must be an array')),
    files: optional(v.array(object(memberEntries), 'must be an array')),
    attributes: optional(plainObject),
    chunking_strategy: optional(chunkingStrategy),
  },
  NOT_JSON,
);

const weight = v.pipe(
  number('must be a number'),
  v.check((x) => x >= 0 && Number.isFinite(x), 'must be at least 0'),
);
const rankingOptions = object({
  ranker: optional(
    v.picklist(['none', 'auto', 'default-2024-11-15'], 'must be none, auto or default-2024-11-15'),
  ),
  score_threshold: numberIn(0, 1),
  hybrid_search: optional(
    v.pipe(
      object({ embedding_weight: weight, text_weight: weight }),
      v.check((given) => given.embedding_weight + given.text_weight > 0, 'must not be 0 and 0'),
    ),
  ),
});

/** How all searches say which chunks they want. */
export const rankedEntries = {
  filters: optional(v.unknown()),
  max_num_results: integerIn(1, 50),
  ranking_options: optional(rankingOptions),
};

export const searchSchema = object(
  {
    query: v.union(
      [
        nonEmptyText,
        v.pipe(
          v.array(nonEmptyText),
          v.check((given) => given.length > 0 && given.length <= MOST_QUERIES),
        ),
      ],
      `must be a text, or 1 to ${MOST_QUERIES} texts, none of them empty`,
    ),
    ...rankedEntries,
    rewrite_query: optional(flag),
  },
  NOT_JSON,
);

type Strategy = v.InferOutput<typeof chunkingStrategy> | null | undefined;

/** @throws ApiError 400 */
function chunkSize(strategy: Strategy, field: string): ChunkSize | undefined {
  if (strategy?.type !== 'static') return undefined;
  const { static: given } = strategy;
  if (!given) throw invalidRequest(`'${field}.static' is required.`, `${field}.static`);
  const { max_chunk_size_tokens: maxTokens, chunk_overlap_tokens: overlapTokens } = given;
  if (overlapTokens * 2 <= maxTokens) return { maxTokens, overlapTokens };
  const param = `${field}.static.chunk_overlap_tokens`;
  throw invalidRequest(`'${param}' must be at most half of max_chunk_size_tokens.`, param);
}

/** @param within - of the file's fields. @throws ApiError 400 */
export function newMember(given: v.InferOutput<typeof memberSchema>, within = ''): NewMember {
  const { file_id: file, attributes, chunking_strategy: strategy } = given;
  const chunks = chunkSize(strategy, `${within}chunking_strategy`);
  return {
    file,
    attributes: checkAttributes(attributes ?? {}, `${within}attributes`),
    ...(chunks && { chunks }),
  };
}

/** The files of a new store. @throws ApiError 400 */
export function filesOfStore(body: v.InferOutput<typeof storeSchema>): NewMember[] {
  const { file_ids: ids, chunking_strategy } = body;
  // A bad strategy is refused without files, too.
  chunkSize(chunking_strategy, 'chunking_strategy');
  checkCount(ids, 'file_ids');
  return (ids ?? []).map((file_id) => newMember({ file_id, chunking_strategy }));
}

/** The files of a batch. @throws ApiError 400 */
export function filesOfBatch(body: v.InferOutput<typeof batchSchema>): NewMember[] {
  const { file_ids: ids, files, attributes, chunking_strategy } = body;
  if ((ids ?? files) == null) throw invalidRequest("'file_ids' is required.", 'file_ids');
  if (ids && files) {
    throw invalidRequest("There must be 'file_ids' or 'files', not both.", 'files');
  }
  checkCount(ids, 'file_ids');
  checkCount(files, 'files');
  if (files) return files.map((each, at) => newMember(each, `files[${at}].`));
  return (ids ?? []).map((file_id) => newMember({ file_id, attributes, chunking_strategy }));
}

function checkCount(given: readonly unknown[] | null | undefined, field: string): void {
  if ((given?.length ?? 0) <= MOST_FILES) return;
  throw invalidRequest(`'${field}' must have at most ${MOST_FILES} files.`, field);
}

/** How results are ranked. The weights are those that find most in `models/retrieval`, where OpenAI names none. */
export function rankingOf(
  given: v.InferOutput<typeof rankingOptions> | null | undefined,
  reranker: string | undefined,
): Ranking {
  const { ranker, score_threshold: threshold, hybrid_search: weights } = given ?? {};
  return {
    reranks: ranker !== 'none',
    ...(reranker !== undefined && { reranker }),
    threshold: threshold ?? 0,
    vectorWeight: weights?.embedding_weight ?? 0.2,
    wordWeight: weights?.text_weight ?? 0.8,
  };
}
