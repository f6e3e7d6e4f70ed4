import type OpenAI from 'openai';
import { describe, expect, test, vi } from 'vitest';
import { EMBEDDER, RANKER } from '../support/api.ts';
import { limited } from '../support/limited-key.ts';
import { errorOf, json } from '../support/read.ts';
import { filled, HOURS, post, REFUNDS, SITE, stored, storing, text } from './vector-store-api.ts';

describe('the openai package', () => {
  test('makes, finds, changes, lists and deletes stores', async () => {
    const { client } = await storing();
    const file = await stored(client, REFUNDS);
    const made = await client.vectorStores.create({
      name: 'docs',
      description: 'd',
      file_ids: [file.id],
      chunking_strategy: {
        type: 'static',
        static: { max_chunk_size_tokens: 200, chunk_overlap_tokens: 50 },
      },
      expires_after: { anchor: 'last_active_at', days: 7 },
      metadata: { a: 'b' },
    });
    expect(made).toEqual({
      id: expect.stringMatching(/^vs_/),
      object: 'vector_store',
      created_at: expect.any(Number),
      name: 'docs',
      description: 'd',
      metadata: { a: 'b' },
      usage_bytes: expect.any(Number),
      file_counts: expect.objectContaining({ total: 1 }),
      status: expect.stringMatching(/^(in_progress|completed)$/),
      expires_after: { anchor: 'last_active_at', days: 7 },
      expires_at: made.created_at + 7 * 86_400,
      last_active_at: made.created_at,
      embedding_model: EMBEDDER,
    });
    await vi.waitFor(async () => {
      const { status, file_counts: counts } = await client.vectorStores.retrieve(made.id);
      expect([status, counts.completed]).toEqual(['completed', 1]);
    });
    const changed = await client.vectorStores.update(made.id, {
      name: 'docs2',
      expires_after: null,
      metadata: { a: 'c' },
    });
    expect(changed).toMatchObject({
      name: 'docs2',
      expires_after: null,
      expires_at: null,
      metadata: { a: 'c' },
    });
    const { data } = await client.vectorStores.list({ limit: 5, order: 'desc' });
    expect(data.map(({ id, usage_bytes }) => [id, usage_bytes > 0])).toEqual([[made.id, true]]);
    expect(await client.vectorStores.delete(made.id)).toEqual({
      id: made.id,
      object: 'vector_store.deleted',
      deleted: true,
    });
    await expect(client.vectorStores.retrieve(made.id)).rejects.toMatchObject({ status: 404 });
    expect(await client.files.retrieve(file.id)).toEqual(file);
  });

  test('uploads a file, polls until it is indexed, and reads, changes and removes it', async () => {
    const given = await storing();
    const { client } = given;
    const store = await client.vectorStores.create({ name: 'docs' });
    const file = await client.vectorStores.files.uploadAndPoll(store.id, text(REFUNDS));
    expect(file).toMatchObject({
      object: 'vector_store.file',
      vector_store_id: store.id,
      status: 'completed',
      last_error: null,
      attributes: {},
      chunking_strategy: {
        type: 'static',
        static: { max_chunk_size_tokens: 300, chunk_overlap_tokens: 150 },
      },
    });
    const at = { vector_store_id: store.id };
    const attributes = { lang: 'en', year: 2026, public: true };
    const changed = await client.vectorStores.files.update(file.id, { ...at, attributes });
    expect(changed.attributes).toEqual(attributes);
    const content = await client.vectorStores.files.content(file.id, at);
    expect(content.data).toEqual([{ type: 'text', text: REFUNDS }]);
    const { data } = await client.vectorStores.files.list(store.id, { filter: 'completed' });
    expect(data).toEqual([changed]);
    const failed = await client.vectorStores.files.list(store.id, { filter: 'failed' });
    expect(failed.data).toEqual([]);
    expect(await client.vectorStores.files.delete(file.id, at)).toEqual({
      id: file.id,
      object: 'vector_store.file.deleted',
      deleted: true,
    });
    expect(await client.vectorStores.retrieve(store.id)).toMatchObject({
      usage_bytes: 0,
      file_counts: { total: 0 },
    });
    expect(await client.files.retrieve(file.id)).toMatchObject({ status: 'processed' });
  });

  test('uploads a batch of files and polls until it is indexed', async () => {
    const { client } = await storing();
    const { id } = await client.vectorStores.create({ name: 'docs' });
    const files = [text(REFUNDS), text('# Hours', 'b.md')];
    const batch = await client.vectorStores.fileBatches.uploadAndPoll(id, { files });
    expect(batch).toMatchObject({
      object: 'vector_store.files_batch',
      vector_store_id: id,
      status: 'completed',
      file_counts: { in_progress: 0, completed: 2, failed: 0, cancelled: 0, total: 2 },
    });
    const listed = await client.vectorStores.fileBatches.listFiles(batch.id, {
      vector_store_id: id,
    });
    expect(listed.data).toHaveLength(2);
  });

  test('searches with several queries, filters and a threshold', async () => {
    const given = await storing();
    const { client } = given;
    const id = await filled(given, { 'a.txt': REFUNDS, 'b.txt': HOURS });
    const { data: files } = await client.vectorStores.files.list(id, { order: 'asc' });
    const [refunds, hours] = files;
    if (!refunds || !hours) throw new Error('There are no files.');
    const at = { vector_store_id: id };
    await client.vectorStores.files.update(refunds.id, { ...at, attributes: { kind: 'faq' } });
    const found = await client.vectorStores.search(id, { query: 'when are refunds paid' });
    expect(found.data[0]).toEqual({
      file_id: refunds.id,
      filename: 'a.txt',
      score: expect.any(Number),
      attributes: { kind: 'faq' },
      content: [{ type: 'text', text: REFUNDS }],
    });
    const both = await client.vectorStores.search(id, {
      query: ['refund policy', 'opens at nine'],
      max_num_results: 5,
      ranking_options: { ranker: 'auto', score_threshold: 0.1 },
      rewrite_query: true,
    });
    expect(both.data[0]?.file_id).toBe(hours.id);
    expect(both.data.every(({ score }) => score >= 0.1 && score <= 1)).toBe(true);
    const filtered = await client.vectorStores.search(id, {
      query: 'opens at nine',
      filters: {
        type: 'and',
        filters: [
          { type: 'eq', key: 'kind', value: 'faq' },
          { type: 'or', filters: [{ type: 'ne', key: 'lang', value: 'de' }] },
        ],
      },
    });
    expect(new Set(filtered.data.map(({ file_id }) => file_id))).toEqual(new Set([refunds.id]));
    const one = await client.vectorStores.search(id, { query: 'the', max_num_results: 1 });
    expect(one.data).toHaveLength(1);
  });
});

test('clients are told to poll soon', async () => {
  const given = await storing();
  const id = await filled(given, { 'a.txt': REFUNDS });
  const file = await stored(given.client, HOURS);
  const added = await post(given, `/vector_stores/${id}/files`, { file_id: file.id });
  expect(added.headers.get('openai-poll-after-ms')).toBe('250');
  const path = `/vector_stores/${id}/files/${file.id}`;
  const polled = await given.api.fetch(path, { headers: given.headers });
  expect(polled.headers.get('openai-poll-after-ms')).toBe('250');
});

test('an installed reranker decides, unless the search wants none', async () => {
  const given = await storing([EMBEDDER, RANKER]);
  const id = await filled(given, { 'a.txt': REFUNDS, 'b.txt': HOURS });
  const search = async (ranker: string) => {
    const body = { query: 'opens at nine', ranking_options: { ranker } };
    const found = await json<{ data: { score: number }[] }>(
      await post(given, `/vector_stores/${id}/search`, body),
    );
    return found.data.map(({ score }) => score);
  };
  expect((await search('auto'))[0]).toBe(1);
  expect((await search('none'))[0]).toBeLessThan(1);
});

test('without an embedder, a store searches by words only, if it is told so', async () => {
  const given = await storing([]);
  const { api, headers, client } = given;
  const limitedKey = await limited(api, { ...SITE, models: [] });
  const refused = await api.post('/vector_stores', {}, { headers: limitedKey.headers });
  expect(await errorOf(refused)).toMatchObject({
    status: 400,
    code: 'unsupported_value',
    param: 'embedding_model',
  });
  const made = await post({ api, headers, client }, '/vector_stores', { embedding_model: null });
  const store = await json<{ id: string; embedding_model: null }>(made);
  expect(store.embedding_model).toBeNull();
  await client.vectorStores.files.uploadAndPoll(store.id, text(REFUNDS));
  const { data } = await client.vectorStores.search(store.id, { query: 'refunds' });
  expect(data.map(({ content }) => content[0]?.text)).toEqual([REFUNDS]);
  expect((await client.vectorStores.search(store.id, { query: 'zebra' })).data).toEqual([]);
});

test('a store whose embedder was removed says so when it is searched', async () => {
  const given = await storing();
  const id = await filled(given, { 'a.txt': REFUNDS });
  given.api.engine.files.models = [];
  const refused = await post(given, `/vector_stores/${id}/search`, { query: 'x' });
  const error = await errorOf(refused);
  expect(error).toMatchObject({ status: 400, param: 'embedding_model' });
  expect(error.message).toContain(EMBEDDER);
});

describe('files that cannot be read fail, and say why', () => {
  test.each([
    ['a.pdf', '%PDF-1.7 …', 'invalid_file'],
    ['a.txt', ' ', 'invalid_file'],
  ])('%s', async (name, content, code) => {
    const { client } = await storing();
    const { id } = await client.vectorStores.create({});
    const file = await client.vectorStores.files.uploadAndPoll(id, text(content, name));
    expect(file).toMatchObject({ status: 'failed', last_error: { code } });
    expect(await client.vectorStores.retrieve(id)).toMatchObject({ file_counts: { failed: 1 } });
  });

  test('and so does one whose embedder fails', async () => {
    const given = await storing();
    given.api.engine.files.held = Promise.reject(new Error('The GPU is gone.'));
    given.api.engine.files.held.catch(() => undefined);
    const { client } = given;
    const { id } = await client.vectorStores.create({});
    const file = await client.vectorStores.files.uploadAndPoll(id, text(REFUNDS));
    expect(file).toMatchObject({ status: 'failed', last_error: { code: 'server_error' } });
  });
});

test('a chunk that is longer than the embedder reads is whole, and found by any of its parts', async () => {
  const given = await storing();
  const { client } = given;
  const long = `${'first word '.repeat(200)} ${'zebra crossing '.repeat(200)}`.trim();
  const { id } = await client.vectorStores.create({});
  const { id: file } = await stored(client, long);
  const strategy = { max_chunk_size_tokens: 4_096, chunk_overlap_tokens: 0 };
  await client.vectorStores.files.createAndPoll(id, {
    file_id: file,
    chunking_strategy: { type: 'static', static: strategy },
  });
  const { data } = await client.vectorStores.search(id, {
    query: 'zebra crossing',
    ranking_options: { ranker: 'none', hybrid_search: { embedding_weight: 1, text_weight: 0 } },
  } as OpenAI.VectorStores.VectorStoreSearchParams);
  expect(data.map(({ content }) => content[0]?.text)).toEqual([long]);
  expect(data[0]?.score).toBeGreaterThan(0.9);
});
