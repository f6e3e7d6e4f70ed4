import * as v from 'valibot';
import {
  closedObject,
  nonEmptyText,
  number,
  object,
  optional,
  plainObject,
  text,
} from '../../http/fields.ts';
import { rankedEntries } from '../../vector-stores/store-request.ts';

/** The name of the tool, and of the function that a model calls instead of it. */
export const FILE_SEARCH = 'file_search';

const MOST_STORES = 8;

export const fileSearchTool = object({
  type: v.literal(FILE_SEARCH),
  vector_store_ids: v.pipe(
    v.array(nonEmptyText, 'must be an array'),
    v.check(
      (ids) => ids.length > 0 && ids.length <= MOST_STORES,
      `must hold 1 to ${MOST_STORES} ids`,
    ),
  ),
  ...rankedEntries,
});

export type FileSearchTool = v.InferOutput<typeof fileSearchTool>;

/** What chooses the tool. */
export const fileSearchChoice = closedObject({ type: v.literal(FILE_SEARCH) });

const result = object({
  file_id: text,
  filename: text,
  score: optional(number('must be a number')),
  text,
  attributes: optional(plainObject),
});

/** A passage of a file, as results of searches list it. */
export type Passage = v.InferOutput<typeof result>;

/** The fields of a `file_search_call` among the input's items. */
export const fileSearchEntries = {
  queries: optional(v.array(text, 'must be an array')),
  results: optional(v.array(result, 'must be an array')),
};

export function isFileSearch<T extends object>(
  tool: T,
): tool is Extract<T, { type: typeof FILE_SEARCH }> {
  return 'type' in tool && tool.type === FILE_SEARCH;
}
