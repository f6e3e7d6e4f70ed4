import type { ListPart } from '../../core/operations/jobs/list-part.ts';

/** An index whose keys are [owner or store, time of creation]. No two records share a key. */
interface ListIndex<T> {
  getAll(range: IDBKeyRange, count: number): Promise<T[]>;
  openKeyCursor(range: IDBKeyRange, direction: 'prev'): Promise<KeyCursor | null>;
}

interface KeyCursor {
  readonly key: IDBValidKey;
  advance(count: number): Promise<KeyCursor | null>;
}

interface Listed<T> {
  /** The owner or the store. */
  of: string;
  part: ListPart;
  /** The item with an id, if it is in the list. */
  find: (id: string) => Promise<T | undefined>;
  /** Whether an item belongs to the list. Default: all do. */
  isWanted?: (item: T) => boolean;
}

/** Least records that are read at once if some of them may not be wanted. */
const SLICE = 100;

/** The part of a list that `listPart` gives. Reads about as many records as that has, however long the list is. */
export async function readPart<T extends { createdAt: number }>(
  index: ListIndex<T>,
  { of, part, find, isWanted }: Listed<T>,
): Promise<{ items: T[]; hasMore: boolean }> {
  const { limit, order } = part;
  const timeOf = async (id: string | undefined) =>
    id === undefined ? undefined : (await find(id))?.createdAt;
  const [after, before] = [await timeOf(part.after), await timeOf(part.before)];
  // The items right before `before` are read from there, and turned round at the end.
  const isTurned = before !== undefined && part.after === undefined;
  const isDown = (order === 'desc') !== isTurned;
  let [lower, upper] = order === 'desc' ? [before, after] : [after, before];
  const items: T[] = [];
  const count = isWanted ? Math.max(SLICE, limit + 1) : limit + 1;
  while (items.length <= limit && (lower ?? -Infinity) < (upper ?? Infinity)) {
    const range = between(of, lower, upper);
    const slice = await (isDown ? lastOf(index, range, count) : index.getAll(range, count));
    items.push(...(isWanted ? slice.filter(isWanted) : slice));
    const last = slice.at(-1);
    if (!last || slice.length < count) break;
    if (isDown) upper = last.createdAt;
    else lower = last.createdAt;
  }
  const some = items.slice(0, limit);
  return { items: isTurned ? some.toReversed() : some, hasMore: items.length > limit };
}

/** The keys of a list between two times, without them. */
function between(of: string, lower: number | undefined, upper: number | undefined): IDBKeyRange {
  // In IndexedDB's order an array comes after every number.
  return IDBKeyRange.bound(
    lower === undefined ? [of] : [of, lower],
    [of, upper ?? []],
    lower !== undefined,
    upper !== undefined,
  );
}

/** The last records of a range, the last one first. */
async function lastOf<T>(index: ListIndex<T>, range: IDBKeyRange, count: number): Promise<T[]> {
  let cursor = await index.openKeyCursor(range, 'prev');
  if (cursor && count > 1) cursor = await cursor.advance(count - 1);
  const last = cursor && IDBKeyRange.bound(cursor.key, range.upper, false, range.upperOpen);
  return (await index.getAll(last ?? range, count)).toReversed();
}
