import { describe, expect, test } from 'vitest';
import { RANKER } from '../support/api.ts';
import { errorOf } from '../support/read.ts';
import { filled, post, REFUNDS, storing } from './vector-store-api.ts';

describe('bad input', () => {
  const size = (max: number, overlap: number) => ({
    chunking_strategy: {
      type: 'static',
      static: { max_chunk_size_tokens: max, chunk_overlap_tokens: overlap },
    },
  });
  const chunks = 'chunking_strategy.static';
  const many = Object.fromEntries(Array.from({ length: 17 }, (_, at) => [`k${at}`, 'v']));
  const eq = { type: 'eq', key: 'a', value: 1 };
  const deep = Array.from({ length: 9 }).reduce<object>(
    (filter) => ({ type: 'and', filters: [filter] }),
    eq,
  );
  const cases: [path: string, body: object, param: string][] = [
    ['', size(99, 0), `${chunks}.max_chunk_size_tokens`],
    ['', size(4_097, 0), `${chunks}.max_chunk_size_tokens`],
    ['', size(200, 101), `${chunks}.chunk_overlap_tokens`],
    ['', { chunking_strategy: { type: 'static' } }, chunks],
    ['', { chunking_strategy: { type: 'smart' } }, 'chunking_strategy.type'],
    ['', { metadata: many }, 'metadata'],
    ['', { metadata: { a: 1 } }, 'metadata'],
    ['', { expires_after: { anchor: 'now', days: 1 } }, 'expires_after.anchor'],
    ['', { expires_after: { anchor: 'last_active_at', days: 0 } }, 'expires_after.days'],
    ['', { expires_after: { anchor: 'last_active_at', days: 366 } }, 'expires_after.days'],
    ['', { embedding_model: RANKER }, 'model'],
    ['/vs_1/files', {}, 'file_id'],
    ['/vs_1/files', { file_id: 'f', attributes: many }, 'attributes'],
    ['/vs_1/files', { file_id: 'f', attributes: { a: { b: 1 } } }, 'attributes.a'],
    ['/vs_1/files', { file_id: 'f', attributes: { a: 'x'.repeat(513) } }, 'attributes.a'],
    ['/vs_1/files', { file_id: 'f', attributes: { ['x'.repeat(65)]: 1 } }, 'attributes'],
    ['/vs_1/files/f', { attributes: { a: null } }, 'attributes.a'],
    ['/vs_1/file_batches', {}, 'file_ids'],
    ['/vs_1/file_batches', { file_ids: [], files: [] }, 'files'],
    [
      '/vs_1/file_batches',
      { files: [{ file_id: 'f' }, { file_id: 'f', attributes: { a: [] } }] },
      'files[1].attributes.a',
    ],
    ['/vs_1/file_batches', { file_ids: Array(2_001).fill('f') }, 'file_ids'],
    ['/vs_1/search', {}, 'query'],
    ['/vs_1/search', { query: '' }, 'query'],
    ['/vs_1/search', { query: [] }, 'query'],
    ['/vs_1/search', { query: Array(9).fill('x') }, 'query'],
    ['/vs_1/search', { query: 'x', max_num_results: 51 }, 'max_num_results'],
    ['/vs_1/search', { query: 'x', filters: 'a' }, 'filters'],
    ['/vs_1/search', { query: 'x', filters: { type: 'like' } }, 'filters.type'],
    [
      '/vs_1/search',
      { query: 'x', filters: { type: 'and', filters: [eq, { ...eq, type: 'is' }] } },
      'filters.filters[1].type',
    ],
    ['/vs_1/search', { query: 'x', filters: { type: 'in', key: 'a', value: 1 } }, 'filters.value'],
    ['/vs_1/search', { query: 'x', filters: { ...eq, value: {} } }, 'filters.value'],
    ['/vs_1/search', { query: 'x', filters: { type: 'eq', value: 1 } }, 'filters.key'],
    ['/vs_1/search', { query: 'x', filters: deep }, `filters${'.filters[0]'.repeat(8)}`],
    [
      '/vs_1/search',
      { query: 'x', ranking_options: { score_threshold: 1.1 } },
      'ranking_options.score_threshold',
    ],
    ['/vs_1/search', { query: 'x', ranking_options: { ranker: 'best' } }, 'ranking_options.ranker'],
    [
      '/vs_1/search',
      {
        query: 'x',
        ranking_options: { hybrid_search: { embedding_weight: 0, text_weight: 0 } },
      },
      'ranking_options.hybrid_search',
    ],
  ];

  test.each(cases)('POST /vector_stores%s %j', async (path, body, param) => {
    const given = await storing();
    const refused = await post(given, `/vector_stores${path}`, body);
    expect(await errorOf(refused)).toMatchObject({ status: 400, param });
  });
});

const LISTS = ['', '/{store}/files', '/{store}/file_batches/{batch}/files'];

test.each([
  ...LISTS.flatMap((path) => ['limit=0', 'limit=101', 'limit=a', 'order=up'].map((q) => [path, q])),
  ...LISTS.slice(1).map((path) => [path, 'filter=done']),
])('GET /vector_stores%s?%s is refused', async (path = '', query = '') => {
  const given = await storing();
  const store = await filled(given, {});
  const batch = await given.client.vectorStores.fileBatches.create(store, { file_ids: [] });
  const place = path.replace('{store}', store).replace('{batch}', batch.id);
  const refused = await given.api.fetch(`/vector_stores${place}?${query}`, given);
  expect(await errorOf(refused)).toMatchObject({ status: 400, param: query.split('=')[0] });
});

const CHANGES: [body: object, param: string][] = [
  [{ name: 7 }, 'name'],
  [{ metadata: { a: 1 } }, 'metadata'],
  [{ metadata: [] }, 'metadata'],
  [{ expires_after: { anchor: 'created_at', days: 1 } }, 'expires_after.anchor'],
  [{ expires_after: { anchor: 'last_active_at', days: 1.5 } }, 'expires_after.days'],
];

test.each(CHANGES)('a change %j is refused, and nothing changes', async (body, param) => {
  const given = await storing();
  const store = await filled(given, {}, { metadata: { a: 'b' } });
  const before = await given.client.vectorStores.retrieve(store);
  const refused = await post(given, `/vector_stores/${store}`, body);
  expect(await errorOf(refused)).toMatchObject({ status: 400, param });
  expect(await given.client.vectorStores.retrieve(store)).toEqual(before);
});

const MISSING: [method: string, path: string, param: string | null, body?: object][] = [
  ['GET', '/vector_stores/vs_x', 'vector_store_id'],
  ['POST', '/vector_stores/vs_x', 'vector_store_id', {}],
  ['DELETE', '/vector_stores/vs_x', 'vector_store_id'],
  ['GET', '/vector_stores/vs_x/files', 'vector_store_id'],
  ['POST', '/vector_stores/vs_x/search', 'vector_store_id', { query: 'a' }],
  ['POST', '/vector_stores/{store}/files', 'file_id', { file_id: 'file-x' }],
  ['GET', '/vector_stores/{store}/files/file-x', 'file_id'],
  ['POST', '/vector_stores/{store}/files/file-x', 'file_id', { attributes: {} }],
  ['DELETE', '/vector_stores/{store}/files/file-x', 'file_id'],
  ['GET', '/vector_stores/{store}/files/file-x/content', 'file_id'],
  ['POST', '/vector_stores/{store}/file_batches', 'file_id', { file_ids: ['file-x'] }],
  ['GET', '/vector_stores/{store}/file_batches/vsfb_x', 'batch_id'],
  ['POST', '/vector_stores/{store}/file_batches/vsfb_x/cancel', 'batch_id', {}],
  ['GET', '/vector_stores/{store}/file_batches/vsfb_x/files', 'batch_id'],
  ['GET', '/files/file-x', 'file_id'],
  ['GET', '/files/file-x/content', 'file_id'],
  ['DELETE', '/files/file-x', 'file_id'],
  ['POST', '/uploads', null, {}],
];

test.each(MISSING)('%s %s is a 404', async (method, path, param, body) => {
  const given = await storing();
  const store = await filled(given, { 'a.txt': REFUNDS });
  const { headers } = given;
  const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
  const missing = await given.api.fetch(path.replace('{store}', store), init);
  expect(await errorOf(missing)).toMatchObject({ status: 404, param });
  // A batch that names an unknown file adds none.
  expect((await given.client.vectorStores.files.list(store)).data).toHaveLength(1);
});

test('stores and their files are listed page by page, forwards and backwards', async () => {
  const given = await storing();
  const { client } = given;
  const ids = [];
  for (const name of ['a', 'b', 'c']) ids.push((await client.vectorStores.create({ name })).id);
  const [a, b, c] = ids;
  const listed: string[] = [];
  for await (const { id } of client.vectorStores.list({ limit: 2, order: 'asc' })) listed.push(id);
  expect(listed).toEqual([a, b, c]);
  const before = await client.vectorStores.list({ before: c ?? '', limit: 1, order: 'asc' });
  expect([before.data.map(({ id }) => id), before.has_more]).toEqual([[b], true]);
  const store = await filled(given, { 'a.txt': 'One.', 'b.txt': 'Two.', 'c.txt': 'Three.' });
  const files: string[] = [];
  for await (const { id } of client.vectorStores.files.list(store, { limit: 1, order: 'desc' })) {
    files.push((await client.files.retrieve(id)).filename);
  }
  expect(files).toEqual(['c.txt', 'b.txt', 'a.txt']);
});
