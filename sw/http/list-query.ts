import * as v from 'valibot';
import type { ListPart } from '../../src/core/operations/jobs/list-part.ts';
import { integerIn, object, optional, text } from './fields.ts';
import { parseValue } from './parse-value.ts';

/** How long a part of a list is at most, and if the query does not say. */
interface Limits {
  most: number;
  usual: number;
}

/** The part of a list that a query asks for: the newest items first unless `order` is `asc`. @throws ApiError 400 */
export function listQuery(params: URLSearchParams, { most, usual }: Limits): ListPart {
  const schema = object({
    after: optional(text),
    before: optional(text),
    limit: integerIn(1, most),
    order: optional(v.picklist(['asc', 'desc'], 'must be asc or desc')),
  });
  const limit = params.get('limit');
  const asked = { ...Object.fromEntries(params), limit: limit && Number(limit) };
  const { after, before, ...given } = parseValue(asked, schema);
  return {
    ...(after != null && { after }),
    ...(before != null && { before }),
    limit: given.limit ?? usual,
    order: given.order ?? 'desc',
  };
}

/** The body of a list. */
export function listBody(data: readonly { id?: unknown }[], hasMore: boolean) {
  return {
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: hasMore,
  };
}
