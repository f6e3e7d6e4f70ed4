import { listPart } from '../../src/core/operations/jobs/list-part.ts';
import { listBody, listQuery } from '../http/list-query.ts';

/** A page of an answer's input items, as the query asks for it: the newest first unless `order` is `asc`. */
export function inputList(items: readonly Record<string, unknown>[], params: URLSearchParams) {
  // The limits are those of the OpenAI API.
  const part = listQuery(params, { most: 100, usual: 20 });
  const { items: data, hasMore } = listPart(items, part, ({ id }) => id);
  return listBody(data, hasMore);
}
