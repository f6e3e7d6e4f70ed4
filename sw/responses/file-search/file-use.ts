import type { GenerateJob } from '../../../src/core/operations/jobs/jobs.ts';
import type { Context } from '../../context.ts';
import type { ResponseRequest } from '../response-request.ts';
import { askedSearch } from './asked-search.ts';
import type { Passage } from './file-search-request.ts';
import { lastQuestion, passageFinder, type FindPassages } from './find-passages.ts';

/** Most searches of an answer. */
export const MOST_SEARCHES = 4;

/** How an answer uses files. */
export interface FileUse {
  /** Undefined: nothing is searched. */
  find: FindPassages | undefined;
  /** What is searched for before the model is asked; undefined: the model may ask for searches. */
  first: string | undefined;
  /** The passages in the request's items, which have the first numbers. */
  passages: readonly Passage[];
  /** Whether the model is to cite passages. */
  isCited: boolean;
}

/** What the model reads with a request. */
interface Read {
  /** The results of earlier searches. */
  passages: readonly Passage[];
  /** Tokens. */
  contextLength: number;
}

/** How a request's answer uses files. @throws ApiError as passageFinder and lastQuestion */
export async function fileUse(
  context: Context,
  request: ResponseRequest,
  job: GenerateJob,
  { passages, contextLength }: Read,
): Promise<FileUse> {
  const search = askedSearch(request);
  const finder = search && (await passageFinder(context, search, contextLength));
  const find = search?.by !== undefined && request.max_tool_calls !== 0 ? finder : undefined;
  return {
    find,
    first: find && search?.by === 'request' ? lastQuestion(job) : undefined,
    passages,
    // JSON has arrays that look like markers, and log-probabilities are of every token.
    isCited: job.format === undefined && job.topLogprobs === undefined,
  };
}
