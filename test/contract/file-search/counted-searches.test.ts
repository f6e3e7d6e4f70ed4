import { describe, expect, test, vi } from 'vitest';
import type { ApiOperation } from '../../../src/core/operations/jobs/jobs.ts';
import { onlyEvent } from '../../../src/core/port/engine.ts';
import { EMBEDDER, MODEL, RANKER } from '../support/api.ts';
import { limited } from '../support/limited-key.ts';
import { errorOf, json } from '../support/read.ts';
import { filled, HOURS, REFUNDS, SITE, stored, storing, text } from '../files/vector-store-api.ts';

describe('searches count in tokensPerDay', () => {
  test.each([
    ['/vector_stores/{store}/search', [EMBEDDER], 1],
    ['/vector_stores/{store}/search', [EMBEDDER, RANKER], 2],
    // The model reads 7 tokens and writes 3.
    ['/responses', [EMBEDDER, RANKER], 12],
  ])('POST %s with %j', async (path, models, tokens) => {
    const given = await storing(models);
    const store = await filled(given, { 'a.txt': REFUNDS });
    const { headers, used } = await limited(given.api, { ...SITE, tokensPerDay: tokens });
    const body = path.endsWith('search')
      ? { query: 'refunds' }
      : {
          model: MODEL,
          input: 'refunds',
          tools: [{ type: 'file_search', vector_store_ids: [store] }],
        };
    const ask = () => given.api.post(path.replace('{store}', store), body, { headers });
    await json(await ask());
    expect(await used()).toBe(tokens);
    expect(await errorOf(await ask())).toMatchObject({ status: 429 });
    expect(await used()).toBe(tokens);
  });
});

test('a query that the models cannot read in one go is searched for in pieces', async () => {
  const given = await storing([EMBEDDER, RANKER]);
  const { client, api } = given;
  const store = await filled(given, { 'a.txt': REFUNDS, 'b.txt': HOURS });
  api.engine.files.longest = 20;
  const query = 'opens at nine, closes at six, Saturdays: '.repeat(20);
  const { data } = await client.vectorStores.search(store, { query });
  expect(data[0]?.content[0]?.text).toBe(HOURS);
});

test('indexes count against the bytes that the site allows', async () => {
  const given = await storing();
  const { api } = given;
  const long = REFUNDS.repeat(100);
  const { key } = await limited(api, { files: { owner: 'site', maxBytes: long.length + 100 } });
  const client = api.client({ apiKey: key, maxRetries: 0 });
  const { id } = await client.vectorStores.create({});
  const file = await client.vectorStores.files.uploadAndPoll(id, text(long));
  expect(file).toMatchObject({
    status: 'failed',
    last_error: { code: 'server_error', message: expect.stringContaining('delete files') },
    usage_bytes: 0,
  });
  // With more space, the same file is indexed.
  await given.client.vectorStores.files.createAndPoll(id, { file_id: file.id });
  const again = await given.client.vectorStores.retrieve(id);
  expect(again.file_counts).toMatchObject({ completed: 1, failed: 0 });
});

test('clearing deletes the files and stores of every owner', async () => {
  const given = await storing();
  const { api, client } = given;
  const id = await filled(given, { 'a.txt': REFUNDS });
  const own = await limited(api, { files: {} });
  const other = api.client({ apiKey: own.key, maxRetries: 0 });
  const { id: foreign } = await stored(other, HOURS);
  const action = { do: 'clear' } as const;
  const job = { op: 'files', owner: 'site', action } as const;
  await onlyEvent<ApiOperation, 'files'>(api.engine, job, new AbortController().signal);
  expect((await client.files.list()).data).toEqual([]);
  expect((await client.vectorStores.list()).data).toEqual([]);
  await expect(other.files.retrieve(foreign)).rejects.toMatchObject({ status: 404 });
  await expect(client.vectorStores.search(id, { query: 'a' })).rejects.toMatchObject({
    status: 404,
  });
  // Nothing of what was deleted counts.
  const next = await filled(given, { 'b.txt': HOURS });
  const { data } = await client.vectorStores.search(next, { query: 'refunds and opens at nine' });
  expect(data.map(({ filename }) => filename)).toEqual(['b.txt']);
});

test('clearing while a file is indexed leaves nothing of it', async () => {
  const given = await storing();
  const { api, client } = given;
  const held = Promise.withResolvers<void>();
  api.engine.files.held = held.promise;
  const { id } = await stored(client, REFUNDS);
  await client.vectorStores.create({ file_ids: [id] });
  const action = { do: 'clear' } as const;
  const job = { op: 'files', owner: 'site', action } as const;
  await onlyEvent<ApiOperation, 'files'>(api.engine, job, new AbortController().signal);
  held.resolve();
  const next = await filled(given, { 'b.txt': HOURS });
  await vi.waitFor(async () => {
    const { data } = await client.vectorStores.list();
    expect(data.map((each) => each.id)).toEqual([next]);
  });
});
