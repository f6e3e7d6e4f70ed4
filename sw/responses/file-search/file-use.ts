import type { GenerateJob } from '../../../src/core/operations/jobs.ts';
import type { Context } from '../../context.ts';
import type { ResponseRequest } from '../response-request.ts';
import type { FileUse } from './answer-from-files.ts';
import { askedSearch } from './asked-search.ts';
import type { Passage } from './file-search-request.ts';
import { lastQuestion, passageFinder } from './find-passages.ts';

/** Most searches of an answer. */
const MOST_SEARCHES = 4;

/** What the model reads with a request. */
interface Read {
  /** The results of earlier searches. */
  passages: readonly Passage[];
  /** Tokens. */
  contextLength: number;
}

/** How a request's answer uses files; undefined: it does not. @throws ApiError as passageFinder and lastQuestion */
export async function fileUse(
  context: Context,
  request: ResponseRequest,
  job: GenerateJob,
  { passages, contextLength }: Read,
): Promise<FileUse | undefined> {
  const search = askedSearch(request);
  const finder = search && (await passageFinder(context, search, contextLength));
  const most = Math.min(MOST_SEARCHES, request.max_tool_calls ?? MOST_SEARCHES);
  const find = search?.by !== undefined && most > 0 ? finder : undefined;
  if (!find && passages.length === 0) return undefined;
  return {
    find,
    first: find && search?.by === 'request' ? lastQuestion(job) : undefined,
    most: find ? most : 0,
    passages,
    // JSON has arrays that look like markers, and log-probabilities are of every token.
    isCited: job.format === undefined && job.topLogprobs === undefined,
  };
}
