import * as v from 'valibot';
import { parseValue } from '../http/parse-value.ts';
import { integerIn, object, optional, text } from '../http/fields.ts';

/** The OpenAI API's own default. */
const DEFAULT_LIMIT = 20;

const querySchema = object({
  after: optional(text),
  limit: integerIn(1, 100),
  order: optional(v.picklist(['asc', 'desc'], 'must be asc or desc')),
});

/** A page of an answer's input items, as the query asks for it: the newest first unless `order` is `asc`. */
export function inputList(items: readonly Record<string, unknown>[], params: URLSearchParams) {
  const asked = Object.fromEntries(params);
  const limit = params.get('limit');
  const query = parseValue({ ...asked, limit: limit && Number(limit) }, querySchema);
  const ordered = query.order === 'asc' ? items : items.toReversed();
  const start = ordered.findIndex(({ id }) => id === query.after) + 1;
  const data = ordered.slice(start, start + (query.limit ?? DEFAULT_LIMIT));
  return {
    object: 'list',
    data,
    first_id: data[0]?.['id'] ?? null,
    last_id: data.at(-1)?.['id'] ?? null,
    has_more: start + data.length < ordered.length,
  };
}
