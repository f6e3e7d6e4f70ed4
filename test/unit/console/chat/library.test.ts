import { expect, test } from 'vitest';
import { tidyStores } from '../../../../src/console/chat/library/stored-files.ts';

const MADE_BY = { made_by: 'slashv1-console' };

/** An API with these vector stores, which have no files, and the ids of those that are deleted. */
function openStores(stores: { id: string; metadata?: object; created_at?: number }[]) {
  const deleted: string[] = [];
  const fetch = async (input: RequestInfo | URL, init?: RequestInit) => {
    const { method, url } = new Request(input, init);
    const { pathname, searchParams } = new URL(url);
    const [, id = ''] = /vector_stores\/([^/]+)$/.exec(pathname) ?? [];
    if (method === 'DELETE') deleted.push(id);
    if (id !== '' || pathname.endsWith('/files')) return Response.json({ data: [] });
    const begin = stores.findIndex((store) => store.id === searchParams.get('after')) + 1;
    const data = stores.slice(begin, begin + Number(searchParams.get('limit')));
    const [last_id, has_more] = [data.at(-1)?.id, begin + data.length < stores.length];
    return Response.json({ data, last_id, has_more });
  };
  return { api: { baseURL: 'https://site.test/v1', apiKey: 'k', fetch }, deleted };
}

test('stores of deleted chats are deleted, however many there are; those of others and of today stay', async () => {
  const { api, deleted } = openStores([
    ...Array.from({ length: 250 }, (_, at) => {
      return { id: `old-${at}`, metadata: MADE_BY, created_at: 1 };
    }),
    { id: 'new', metadata: MADE_BY, created_at: Date.now() / 1000 },
    { id: 'other', metadata: {}, created_at: 1 },
  ]);
  await tidyStores(api, new Set(['old-3']));
  expect(deleted).toHaveLength(249);
  expect(deleted).not.toContain('old-3');
  expect(deleted.every((id) => id.startsWith('old-'))).toBe(true);
});
