/** Which part of a list is wanted. */
export interface ListPart {
  /** Id of the item before the first one; undefined: the part begins where the list does. */
  after?: string;
  /** Id of the item after the last one. */
  before?: string;
  limit: number;
  /** By the time of creation. */
  order: 'asc' | 'desc';
}

/**
 * A part of a list.
 *
 * @param all - by the time of creation, the oldest first
 * @param idOf - the id by which `after` and `before` name an item; an unknown one counts as absent
 */
export function listPart<T>(
  all: readonly T[],
  { after, before, limit, order }: ListPart,
  idOf: (item: T) => unknown,
): { items: T[]; hasMore: boolean } {
  const ordered = order === 'asc' ? all : all.toReversed();
  const placeOf = (id: string | undefined) =>
    id === undefined ? -1 : ordered.findIndex((item) => idOf(item) === id);
  const first = placeOf(after) + 1;
  const end = placeOf(before);
  const wanted = ordered.slice(first, end === -1 ? undefined : end);
  // The items right before `before` are wanted, not those farthest from it.
  const items = end === -1 || after !== undefined ? wanted.slice(0, limit) : wanted.slice(-limit);
  return { items, hasMore: items.length < wanted.length };
}
