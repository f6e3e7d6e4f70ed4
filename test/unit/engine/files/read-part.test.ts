import 'fake-indexeddb/auto';
import { beforeEach, expect, test, vi } from 'vitest';
import type { ListPart } from '../../../../src/core/operations/jobs/list-part.ts';
import { listPart } from '../../../../src/core/operations/jobs/list-part.ts';
import {
  filesDatabase,
  type FilesDatabase,
  type StoredFileFacts,
} from '../../../../src/engine/files/files-database.ts';
import { readPart } from '../../../../src/engine/files/read-part.ts';

const NAMES = ['a', 'b', 'c', 'd', 'e'];
const isWanted = ({ filename }: StoredFileFacts) => filename !== 'c';
let db: FilesDatabase;

async function fill(count: number): Promise<void> {
  const facts = { purpose: 'vision', bytes: 1 } as const;
  for (let at = 0; at < count; at++) {
    for (const owner of ['a', 'b', 'c']) {
      const filename = NAMES[at] ?? `${at}`;
      const id = `${owner}-${filename}`;
      await db.put('files', { ...facts, id, owner, filename, createdAt: 2 * at });
    }
  }
}

function read(part: ListPart, wanted?: typeof isWanted) {
  const { store } = db.transaction('files');
  return readPart(store.index('owner'), {
    of: 'b',
    part,
    find: (name) => store.get(`b-${name}`),
    ...(wanted && { isWanted: wanted }),
  });
}

beforeEach(async () => {
  db = await filesDatabase(`/${crypto.randomUUID()}/`)();
});

const ids = [undefined, ...NAMES, 'x'];
const parts = ids.flatMap((after) =>
  ids.flatMap((before) =>
    (['asc', 'desc'] as const).flatMap((order) =>
      [1, 2, 5, 9].map((limit): ListPart => ({
        limit,
        order,
        ...(after !== undefined && { after }),
        ...(before !== undefined && { before }),
      })),
    ),
  ),
);

test.each([
  ['all', undefined],
  ['some', isWanted],
])('a part is the one that listPart gives: of %s items', async (_, wanted) => {
  await fill(NAMES.length);
  const all = (await db.getAll('files')).filter(({ owner }) => owner === 'b');
  for (const part of parts) {
    // An item that is not wanted still has a place.
    if (wanted && [part.after, part.before].includes('c')) continue;
    const some = all.filter((file) => wanted?.(file) ?? true);
    expect([part, await read(part, wanted)]).toEqual([
      part,
      listPart(some, part, ({ filename }) => filename),
    ]);
  }
});

test('a list goes on after an item that it no longer has', async () => {
  await fill(NAMES.length);
  const { items } = await read({ after: 'c', limit: 1, order: 'asc' }, isWanted);
  expect(items.map(({ filename }) => filename)).toEqual(['d']);
});

test('of a long list, only a part is read', async () => {
  await fill(1_000);
  const getAll = vi.spyOn(IDBIndex.prototype, 'getAll');
  for (const order of ['asc', 'desc'] as const) {
    getAll.mockClear();
    const { items, hasMore } = await read({ limit: 10, order }, ({ filename }) => filename !== 'a');
    expect([items.length, hasMore]).toEqual([10, true]);
    expect(getAll.mock.results.map(({ value }) => (value as IDBRequest<unknown[]>).result)).toEqual(
      [expect.objectContaining({ length: 100 })],
    );
  }
});
