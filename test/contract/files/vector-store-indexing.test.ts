import { afterEach, describe, expect, test, vi } from 'vitest';
import { HOURS, REFUNDS, stored, storing, text } from './vector-store-api.ts';

describe('while files are indexed', () => {
  /** A store with a file whose vectors are held back, and what lets go of them. */
  async function held() {
    const given = await storing();
    const { promise, resolve } = Promise.withResolvers<void>();
    given.api.engine.files.held = promise;
    const { id: store } = await given.client.vectorStores.create({});
    const { id: file } = await stored(given.client, REFUNDS);
    return { ...given, store, file, release: resolve };
  }
  const at = (store: string) => ({ vector_store_id: store });

  test('another engine that takes over indexes them once', async () => {
    const { api, client, store, file, release } = await held();
    const added = await client.vectorStores.files.create(store, { file_id: file });
    expect(added.status).toBe('in_progress');
    api.engine.files.takeOver();
    release();
    const done = await client.vectorStores.files.poll(store, file);
    expect(done.status).toBe('completed');
    // The engine that took over has found nothing left to do.
    await vi.waitFor(async () => {
      const { held: locks = [], pending = [] } = await navigator.locks.query();
      const { lock } = api.engine.files;
      expect([...locks, ...pending].filter(({ name }) => name === lock)).toEqual([]);
    });
    expect(api.engine.files.embedded).toEqual([REFUNDS]);
    expect((await client.vectorStores.search(store, { query: 'refunds' })).data).toHaveLength(1);
  });

  test('a file that is deleted leaves nothing behind', async () => {
    const { client, store, file, release } = await held();
    await client.vectorStores.files.create(store, { file_id: file });
    await client.files.delete(file);
    release();
    const next = await client.vectorStores.files.uploadAndPoll(store, text(HOURS));
    expect(next.status).toBe('completed');
    expect((await client.vectorStores.search(store, { query: 'refunds' })).data).toEqual(
      expect.not.arrayContaining([expect.objectContaining({ file_id: file })]),
    );
    expect(await client.vectorStores.retrieve(store)).toMatchObject({ file_counts: { total: 1 } });
  });

  test('nothing is read or embedded before the requests of others are answered', async () => {
    const { api, client, store, file, release } = await held();
    release();
    const { promise, resolve } = Promise.withResolvers<void>();
    api.engine.files.idle = promise;
    await client.vectorStores.files.create(store, { file_id: file });
    const { data } = await client.vectorStores.search(store, { query: 'refunds' });
    expect(data).toEqual([]);
    const waiting = await client.vectorStores.files.retrieve(file, at(store));
    expect(waiting.status).toBe('in_progress');
    expect(api.engine.files.embedded).toEqual([]);
    resolve();
    expect((await client.vectorStores.files.poll(store, file)).status).toBe('completed');
  });

  test('attributes and names can be changed, and the index stays whole', async () => {
    const { client, store, file, release } = await held();
    await client.vectorStores.files.create(store, { file_id: file });
    const attributes = { lang: 'en' };
    await client.vectorStores.files.update(file, { ...at(store), attributes });
    await client.vectorStores.update(store, { name: 'other' });
    release();
    const done = await client.vectorStores.files.poll(store, file);
    expect(done).toMatchObject({ status: 'completed', attributes });
    await client.vectorStores.files.update(file, { ...at(store), attributes: {} });
    const { usage_bytes: bytes, name } = await client.vectorStores.retrieve(store);
    expect([name, bytes]).toEqual(['other', done.usage_bytes]);
    await client.vectorStores.files.delete(file, at(store));
    expect((await client.vectorStores.retrieve(store)).usage_bytes).toBe(0);
  });

  test('a batch can be cancelled', async () => {
    const { client, store, file, release } = await held();
    const batch = await client.vectorStores.fileBatches.create(store, { file_ids: [file] });
    expect(batch.status).toBe('in_progress');
    const cancelled = await client.vectorStores.fileBatches.cancel(batch.id, at(store));
    expect(cancelled).toMatchObject({ status: 'cancelled', file_counts: { cancelled: 1 } });
    release();
    await client.vectorStores.files.uploadAndPoll(store, text(HOURS));
    const file1 = await client.vectorStores.files.retrieve(file, at(store));
    expect(file1.status).toBe('cancelled');
  });

  test('a file that is in the store already is not indexed again', async () => {
    const { api, client, store, file, release } = await held();
    release();
    await client.vectorStores.files.createAndPoll(store, { file_id: file });
    const again = await client.vectorStores.files.createAndPoll(store, {
      file_id: file,
      attributes: { a: 1 },
    });
    expect(again).toMatchObject({ status: 'completed', attributes: { a: 1 } });
    expect(api.engine.files.embedded).toEqual([REFUNDS]);
  });
});

describe('if the disk is full when an index is made', () => {
  afterEach(() => vi.restoreAllMocks());

  /** From now on, nothing can be put into these object stores. */
  function fill(...names: string[]) {
    const { put } = IDBObjectStore.prototype;
    return vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (
      this: IDBObjectStore,
      ...given
    ) {
      if (names.includes(this.name)) throw new DOMException('Full.', 'QuotaExceededError');
      return put.apply(this, given);
    });
  }

  test('the file has failed, and what was stored stays', async () => {
    const { client } = await storing();
    const { id: store } = await client.vectorStores.create({});
    await client.vectorStores.files.uploadAndPoll(store, text(HOURS));
    const before = await client.vectorStores.retrieve(store);
    const disk = fill('segments');
    const file = await client.vectorStores.files.uploadAndPoll(store, text(REFUNDS));
    expect(file).toMatchObject({
      status: 'failed',
      usage_bytes: 0,
      last_error: {
        code: 'server_error',
        message: 'This browser gives no more space: delete files, or let them expire.',
      },
    });
    const after = await client.vectorStores.retrieve(store);
    expect(after.usage_bytes).toBe(before.usage_bytes);
    expect((await client.vectorStores.search(store, { query: 'opens at nine' })).data).toHaveLength(
      1,
    );
    disk.mockRestore();
    const again = await client.vectorStores.files.createAndPoll(store, { file_id: file.id });
    expect(again.status).toBe('completed');
  });

  test('the file waits if not even that can be stored, and is embedded once', async () => {
    const { api, client } = await storing();
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const { id: store } = await client.vectorStores.create({});
    const { id: file } = await stored(client, REFUNDS);
    const { promise, resolve } = Promise.withResolvers<void>();
    api.engine.files.held = promise;
    await client.vectorStores.files.create(store, { file_id: file });
    const disk = fill('segments', 'members');
    resolve();
    await vi.waitFor(() => expect(warn).toHaveBeenCalledOnce());
    const at = { vector_store_id: store };
    expect((await client.vectorStores.files.retrieve(file, at)).status).toBe('in_progress');
    disk.mockRestore();
    await vi.waitFor(async () => {
      expect((await client.vectorStores.files.retrieve(file, at)).status).toBe('completed');
    });
    expect(api.engine.files.embedded).toEqual([REFUNDS]);
  });
});
