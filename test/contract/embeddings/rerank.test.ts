import { createCohere } from '@ai-sdk/cohere';
import { rerank } from 'ai';
import { describe, expect, test } from 'vitest';
import { jobFault } from '../../../src/core/errors/errors.ts';
import { EMBEDDER, openApi, ORIGIN, RANKER } from '../support/api.ts';
import { browserFetch } from '../support/browser-fetch.ts';
import { errorOf, json } from '../support/read.ts';

const PATH = '/rerank';
const DOCUMENTS = ['xyz', 'ab', 'abc', 'ba'];
const REQUEST = { model: RANKER, query: 'abc', documents: DOCUMENTS };

interface RerankBody {
  results: { index: number; relevance_score: number; document?: { text: string } }[];
}

async function ranked(body: object): Promise<RerankBody['results']> {
  const api = await openApi();
  return (await json<RerankBody>(await api.post(PATH, body))).results;
}

describe('POST /v1/rerank', () => {
  test('answers with all documents, the best first', async () => {
    const api = await openApi();
    expect(await json(await api.post(PATH, REQUEST))).toEqual({
      id: expect.stringMatching(/^rerank-[0-9a-f]{32}$/),
      object: 'list',
      model: RANKER,
      results: [
        { index: 2, relevance_score: 1 },
        // Equal scores keep the order of the documents.
        { index: 1, relevance_score: 2 / 3 },
        { index: 3, relevance_score: 2 / 3 },
        { index: 0, relevance_score: 0 },
      ],
      usage: { prompt_tokens: 4, total_tokens: 4 },
      meta: { api_version: { version: '1' } },
    });
  });

  test('answers with the best ones, and with their texts if asked for', async () => {
    const documents = [{ text: 'xyz' }, 'ab', { text: 'abc' }];
    const results = await ranked({ ...REQUEST, documents, top_n: 1, return_documents: true });
    expect(results).toEqual([{ index: 2, relevance_score: 1, document: { text: 'abc' } }]);
    expect(await ranked({ ...REQUEST, top_n: 100, max_chunks_per_doc: 3 })).toHaveLength(4);
  });

  test('passes on how much of a document is read', async () => {
    const api = await openApi();
    await json(await api.post(PATH, { ...REQUEST, max_tokens_per_doc: 7 }));
    expect(api.engine.rankings[0]?.job).toMatchObject({ maxDocumentTokens: 7, query: 'abc' });
  });

  test.each([
    [{ query: undefined }, 'query', null],
    [{ query: '' }, 'query', null],
    [{ documents: undefined }, 'documents', null],
    [{ documents: 'abc' }, 'documents', null],
    [{ documents: [] }, 'documents', 'empty_array'],
    [{ documents: ['a', 7] }, 'documents[1]', null],
    [{ documents: ['a', { image: 'x' }] }, 'documents[1]', null],
    [{ documents: Array.from({ length: 1_001 }, () => 'a') }, 'documents', null],
    [{ top_n: 0 }, 'top_n', null],
    [{ max_tokens_per_doc: 0 }, 'max_tokens_per_doc', null],
    [{ rank_fields: ['title'] }, 'rank_fields', 'unsupported_value'],
    [{ model: EMBEDDER }, 'model', 'unsupported_value'],
  ])('refuses %j', async (body, param, code) => {
    const api = await openApi();
    const error = await errorOf(await api.post(PATH, { ...REQUEST, ...body }));
    expect(error).toMatchObject({ status: 400, type: 'invalid_request_error', param, code });
    expect(api.engine.rankings).toEqual([]);
  });

  test('a query that is too long is named', async () => {
    const api = await openApi();
    api.engine.next(jobFault('query', 'is too long.', { code: 'context_length_exceeded' }));
    expect(await errorOf(await api.post(PATH, REQUEST))).toMatchObject({
      status: 400,
      code: 'context_length_exceeded',
      param: 'query',
    });
  });

  test('the AI SDK’s client for Cohere reranks', async () => {
    const api = await openApi();
    const settings = { baseURL: `${ORIGIN}/v1`, apiKey: api.key, fetch: browserFetch(api.app) };
    const cohere = createCohere(settings);
    const { ranking } = await rerank({
      model: cohere.reranking(RANKER),
      query: 'abc',
      documents: DOCUMENTS,
      topN: 2,
    });
    expect(ranking.map(({ originalIndex, document }) => [originalIndex, document])).toEqual([
      [2, 'abc'],
      [1, 'ab'],
    ]);
  });
});
