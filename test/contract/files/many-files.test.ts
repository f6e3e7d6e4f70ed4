import type OpenAI from 'openai';
import { expect, test, vi } from 'vitest';
import { stored, storing, text, type Storing } from './vector-store-api.ts';

/** Waits until no file is indexed any more, without a request. */
async function indexed({ api }: Storing): Promise<void> {
  await vi.waitFor(async () => {
    const { held = [], pending = [] } = await navigator.locks.query();
    const { lock } = api.engine.files;
    expect([...held, ...pending].filter(({ name }) => name === lock)).toEqual([]);
  });
}

async function wordsOnly(client: OpenAI): Promise<string> {
  const params = { embedding_model: null } as OpenAI.VectorStoreCreateParams;
  return (await client.vectorStores.create(params)).id;
}

/** How many records of IndexedDB something reads. */
async function readsOf(make: () => PromiseLike<unknown>): Promise<number> {
  const spies = [IDBObjectStore, IDBIndex].flatMap(({ prototype }) =>
    (['get', 'getAll', 'getAllKeys', 'openCursor', 'openKeyCursor'] as const).map((name) =>
      vi.spyOn(prototype, name),
    ),
  );
  await make();
  const requests = spies.flatMap(({ mock }) => mock.results.map(({ value }): unknown => value));
  for (const spy of spies) spy.mockRestore();
  return requests
    .map((request) => (request instanceof IDBRequest ? (request.result as unknown) : undefined))
    .reduce<number>((sum, result) => sum + (Array.isArray(result) ? result.length : 1), 0);
}

test('what a file costs does not depend on how many there are', async () => {
  const given = await storing();
  const { client } = given;
  const id = await wordsOnly(client);
  const costs = async () => {
    let file = '';
    const upload = async () => void (file = (await stored(client, 'The word is zebra.')).id);
    const index = async () => {
      await client.vectorStores.files.create(id, { file_id: file });
      await indexed(given);
    };
    const search = async () => {
      const { data } = await client.vectorStores.search(id, { query: 'zebra' });
      expect(data.map(({ file_id }) => file_id)).toEqual([file]);
    };
    return {
      upload: await readsOf(upload),
      index: await readsOf(index),
      list: await readsOf(() => client.files.list({ limit: 10 })),
      listOfStore: await readsOf(() => client.vectorStores.files.list(id, { limit: 10 })),
      // The first search reads the store.
      search: await search().then(() => readsOf(search)),
      delete: await readsOf(() => client.files.delete(file)),
    };
  };
  const fill = async (count: number) => {
    for (let at = 0; at < count; at++) {
      const { id: file } = await stored(client, `Note ${at}.`);
      await client.vectorStores.files.create(id, { file_id: file });
    }
    await indexed(given);
  };
  // A list reads up to 100 records at once.
  await fill(120);
  const few = await costs();
  await fill(120);
  expect(await costs()).toEqual(few);
}, 120_000);

test('an owner has at most 10,000 files and 1,000 vector stores, and a store 100,000 chunks', async () => {
  const given = await storing();
  const { client, api } = given;
  const db = await api.engine.files.open();
  const id = await wordsOnly(client);
  const made = await client.vectorStores.files.uploadAndPoll(id, text('One chunk.'));
  const store = await db.get('stores', id);
  const usage = await db.get('usage', 'site');
  if (!store || !usage) throw new Error('Nothing is stored.');
  await db.put('stores', { ...store, chunks: 100_000 });
  const another = await client.vectorStores.files.uploadAndPoll(id, text('Another chunk.'));
  expect(another).toMatchObject({
    status: 'failed',
    last_error: { code: 'server_error', message: 'A vector store may have 100000 chunks.' },
  });
  expect(made.status).toBe('completed');
  await db.put('usage', { ...usage, files: 10_000 }, 'site');
  await expect(stored(client, 'a')).rejects.toMatchObject({
    status: 500,
    code: 'storage_full',
    message: expect.stringContaining('There are 10000 files'),
  });
  for (let at = 1; at < 1_000; at++) {
    await db.put('stores', { ...store, id: `vs_${at}`, createdAt: store.createdAt + at });
  }
  await expect(wordsOnly(client)).rejects.toMatchObject({
    status: 500,
    code: 'storage_full',
    message: expect.stringContaining('There are 1000 vector stores'),
  });
});
