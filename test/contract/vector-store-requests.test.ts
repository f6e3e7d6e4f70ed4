import { describe, expect, test } from 'vitest';
import { RANKER } from './api.ts';
import { errorOf } from './read.ts';
import { post, storing } from './vector-store-api.ts';

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
