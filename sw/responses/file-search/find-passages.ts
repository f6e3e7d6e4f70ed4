import {
  ApiError,
  invalidRequest,
  refusal,
  unsupportedValue,
} from '../../../src/core/errors/errors.ts';
import { IMAGE_MARK, type GenerateJob } from '../../../src/core/operations/jobs/jobs.ts';
import { withoutBreakpoints } from '../../../src/core/operations/prompt-caching.ts';
import { expiryOf, type ChunksEvent } from '../../../src/core/operations/jobs/store-jobs.ts';
import { onlyEvent } from '../../../src/core/port/engine.ts';
import type { Context } from '../../context.ts';
import { ownerOf } from '../../files/owner.ts';
import { runJob, type JobContext } from '../../road/running-job.ts';
import { rankingOf } from '../../vector-stores/store-request.ts';
import { CONTEXT_SHARE } from '../hosted/beginning.ts';
import type { AskedSearch } from './asked-search.ts';
import { FILE_SEARCH, type Passage } from './file-search-request.ts';
import { fitting } from './passages.ts';

const USUAL_RESULTS = 10;

/** Finds the passages that fit queries. */
export type FindPassages = (context: JobContext, queries: string[]) => Promise<Passage[]>;

/**
 * How the files that a request names are searched.
 *
 * @param contextLength - of the model that reads the passages, tokens
 * @throws ApiError 400 if the site stores no files or a store has expired, 404 for an unknown store
 */
export async function passageFinder(
  context: Context,
  { tool, index, filter }: AskedSearch,
  contextLength: number,
): Promise<FindPassages> {
  const { key } = context;
  if (!key.files) {
    const message = `A tool of type '${FILE_SEARCH}' needs a site that stores files: start({ files: true }).`;
    throw unsupportedValue(message, `tools[${index}].type`);
  }
  const { owner } = ownerOf(context);
  const field = `tools[${index}].vector_store_ids`;
  for (const [at, id] of tool.vector_store_ids.entries()) {
    await requireStore(context, id, `${field}[${at}]`);
  }
  const job = {
    op: 'find-chunks',
    owner,
    client: key.id,
    stores: tool.vector_store_ids,
    ...(filter && { filter }),
    most: tool.max_num_results ?? USUAL_RESULTS,
    ranking: rankingOf(tool.ranking_options, key.files.reranker),
  } as const;
  return async (running, queries) => {
    const found: ChunksEvent['chunks'] = [];
    await runJob(
      // The request is reported as one for the model that answers.
      { ...running, report: undefined },
      { job: { ...job, queries }, answers: 0, fieldOf: () => 'input' },
      { take: ({ chunks }) => void found.push(...chunks) },
    );
    const passages = found.map(({ file, filename, score, text, attributes }) => {
      return { file_id: file, filename, score, text, attributes };
    });
    return fitting(passages, Math.floor(contextLength * CONTEXT_SHARE));
  };
}

async function requireStore(context: Context, id: string, param: string): Promise<void> {
  const { engine, signal } = context;
  const action = { do: 'get', id } as const;
  const job = { op: 'stores', ...ownerOf(context), action } as const;
  const { stores } = await onlyEvent(engine, job, signal).catch((error: unknown) => {
    throw error instanceof ApiError ? new ApiError({ ...error.data, param }) : error;
  });
  if (stores.every((store) => (expiryOf(store) ?? Infinity) > Date.now())) return;
  throw refusal(400, `The vector store '${id}' has expired.`, 'vector_store_expired', param);
}

/** What a search without the model's queries is for: the last text of the user. @throws ApiError 400 */
export function lastQuestion({ prompt }: GenerateJob): string {
  const messages = prompt.kind === 'chat' ? prompt.messages : [];
  const last = messages.findLast(({ role }) => role === 'user');
  const text = withoutBreakpoints(last?.content ?? '')
    .replaceAll(IMAGE_MARK, ' ')
    .trim();
  if (text !== '') return text;
  throw invalidRequest(
    `'input' has no text of a user that ${FILE_SEARCH} could search for.`,
    'input',
  );
}
