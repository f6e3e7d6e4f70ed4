import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Database, FileKey } from '../../../../src/core/database/database.ts';
import { blobSha256, WeightStore } from '../../../../src/core/weights/weight-store.ts';
import { emptyDatabase } from '../../support/database.ts';

let open: () => Promise<Database>;
let store: WeightStore;

beforeEach(() => {
  open = emptyDatabase();
  store = new WeightStore(open);
});

async function put(model: string, revision: string, path: string, content = path): Promise<void> {
  await store.put(model, revision, path, { blob: new Blob([content]), sha256: 'x' });
}

describe('files of models', () => {
  test('are found by model, revision and path', async () => {
    await put('m', 'r1', 'a.bin', 'content');
    expect(await (await store.get('m', 'r1', 'a.bin'))?.text()).toBe('content');
    expect(await store.get('m', 'r2', 'a.bin')).toBeUndefined();
    expect(await store.get('n', 'r1', 'a.bin')).toBeUndefined();
  });

  test('are listed for their own model and revision only', async () => {
    await put('m', 'r1', 'a.bin');
    await put('m', 'r1', 'b/c.bin');
    await put('m', 'r10', 'other');
    await put('m2', 'r1', 'other');
    expect(await store.paths('m', 'r1')).toEqual(new Set(['a.bin', 'b/c.bin']));
    expect(await store.paths('m', 'r')).toEqual(new Set());
  });

  test('are replaced, not duplicated', async () => {
    await put('m', 'r1', 'a.bin', 'old');
    await put('m', 'r1', 'a.bin', 'new');
    expect(await (await store.get('m', 'r1', 'a.bin'))?.text()).toBe('new');
    expect((await store.paths('m', 'r1')).size).toBe(1);
  });

  test('are removed with all revisions of their model, and of no other', async () => {
    await put('m', 'r1', 'a.bin');
    await put('m', 'r2', 'a.bin');
    await put('m2', 'r1', 'a.bin');
    await store.remove('m');
    expect(await store.paths('m', 'r1')).toEqual(new Set());
    expect(await store.paths('m', 'r2')).toEqual(new Set());
    expect(await store.paths('m2', 'r1')).toEqual(new Set(['a.bin']));
  });

  test('of all revisions except some can be removed', async () => {
    for (const revision of ['r0', 'r1', 'r2', 'r3', 'r4']) await put('m', revision, 'a.bin');
    await put('m2', 'r0', 'a.bin');
    await store.keepRevisions('m', ['r3', 'r1', 'r3']);
    for (const gone of ['r0', 'r2', 'r4']) expect(await store.paths('m', gone)).toEqual(new Set());
    for (const kept of ['r1', 'r3']) expect((await store.paths('m', kept)).size).toBe(1);
    expect((await store.paths('m2', 'r0')).size).toBe(1);
  });
});

describe('a file that arrives in segments', () => {
  const KEY: FileKey = ['m', 'r1', 'a.bin'];
  const append = (offset: number, content: string) =>
    store.append(KEY, offset, { blob: new Blob([content]), validator: '"v1"' });

  test('is stored once all segments have arrived, and is read as one', async () => {
    await append(0, 'one ');
    await append(4, 'two');
    expect(await store.received(KEY)).toBe(7);
    expect(await store.get(...KEY)).toBeUndefined();
    expect(await store.complete(KEY, 7, 'hash')).toBe(true);
    const file = await store.find(...KEY);
    expect(await file?.blob.text()).toBe('one two');
    expect(file?.sha256).toBe('hash');
    expect(await store.paths('m', 'r1')).toEqual(new Set(['a.bin']));
  });

  test('is not complete if a segment is missing', async () => {
    await append(0, 'one ');
    await append(8, 'three');
    expect(await store.partial(KEY)).toBeUndefined();
    expect(await store.complete(KEY, 13, 'hash')).toBe(false);
    expect(await store.complete(KEY, 9, 'hash')).toBe(false);
    expect(await store.paths('m', 'r1')).toEqual(new Set());
  });

  test('of one segment, or empty, is stored like any other, without being written again', async () => {
    await append(0, 'all');
    await store.complete(KEY, 3, 'hash');
    expect((await store.partial(KEY))?.segments).toHaveLength(1);
    expect(await (await store.get(...KEY))?.text()).toBe('all');
    await store.complete(['m', 'r1', 'empty'], 0, 'hash');
    expect((await store.get('m', 'r1', 'empty'))?.size).toBe(0);
  });

  test('is removed alone or with its model, without touching others', async () => {
    const other: FileKey = ['m', 'r1', 'a.bin2'];
    await append(0, 'one');
    await store.append(other, 0, { blob: new Blob(['other']) });
    expect((await store.partial(KEY))?.bytes).toBe(3);
    await store.removeFile(KEY);
    expect(await store.received(KEY)).toBe(0);
    expect(await store.received(other)).toBe(5);
    await store.keepRevisions('m', ['r1']);
    expect(await store.received(other)).toBe(5);
    await store.keepRevisions('m', ['r2']);
    expect(await store.received(other)).toBe(0);
  });
});

describe('a copy of a file', () => {
  const FROM: FileKey = ['m', 'r1', 'a.bin'];
  const TO: FileKey = ['m', 'r2', 'b.bin'];

  test('has the same bytes and hash, be it one Blob or segments, and outlives the file', async () => {
    await put('m', 'r1', 'whole.bin', 'whole');
    expect(await store.copy(['m', 'r1', 'whole.bin'], ['m', 'r2', 'whole.bin'])).toBe(true);
    await store.append(FROM, 0, { blob: new Blob(['one ']) });
    await store.append(FROM, 4, { blob: new Blob(['two']) });
    await store.complete(FROM, 7, 'hash');
    await store.append(TO, 0, { blob: new Blob(['a part of it']) });
    expect(await store.copy(FROM, TO)).toBe(true);
    await store.keepRevisions('m', ['r2']);
    expect(await (await store.get('m', 'r2', 'whole.bin'))?.text()).toBe('whole');
    const copy = await store.find(...TO);
    expect(await copy?.blob.text()).toBe('one two');
    expect(copy?.sha256).toBe('hash');
  });

  test('is not made of a file that is not there, or not whole', async () => {
    expect(await store.copy(FROM, TO)).toBe(false);
    await store.append(FROM, 0, { blob: new Blob(['one ']) });
    expect(await store.copy(FROM, TO)).toBe(false);
    await store.complete(FROM, 4, 'hash');
    await (await open()).delete('segments', [...FROM, 0]);
    expect(await store.copy(FROM, TO)).toBe(false);
    expect(await store.received(TO)).toBe(0);
    expect((await store.paths('m', 'r2')).size).toBe(0);
  });
});

describe('where the browser stores no Blobs, as in private windows of WebKit', () => {
  afterEach(() => vi.restoreAllMocks());

  function refuseBlobs() {
    const original = IDBObjectStore.prototype.put;
    return vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (
      this: IDBObjectStore,
      ...args
    ) {
      const [{ blob }] = args as [{ blob?: unknown }];
      if (blob instanceof Blob) throw new DOMException('Error preparing Blob', 'UnknownError');
      return original.apply(this, args);
    });
  }

  test('files and segments are stored all the same', async () => {
    refuseBlobs();
    await put('m', 'r1', 'a.bin', 'content');
    const key: FileKey = ['m', 'r1', 'b.bin'];
    await store.append(key, 0, { blob: new Blob(['one ']), validator: '"v1"' });
    await store.append(key, 4, { blob: new Blob(['two']), validator: '"v1"' });
    expect(await store.received(key)).toBe(7);
    expect((await store.partial(key))?.segments[1]).toMatchObject({ validator: '"v1"' });
    await store.complete(key, 7, 'hash');
    expect(await (await store.get(...key))?.text()).toBe('one two');
    expect(await store.find('m', 'r1', 'a.bin')).toEqual({ blob: expect.any(Blob), sha256: 'x' });
    expect(await (await store.get('m', 'r1', 'a.bin'))?.text()).toBe('content');
  });

  test('one such error is not taken for all later writes', async () => {
    const refused = refuseBlobs();
    await put('m', 'r1', 'a.bin');
    refused.mockRestore();
    await put('m', 'r1', 'b.bin');
    const [first, second] = await (await open()).getAll('files');
    expect(first).toMatchObject({ blob: expect.any(ArrayBuffer) });
    expect(second).toMatchObject({ blob: expect.any(Blob) });
  });

  test('an error that is about something else is reported as it is', async () => {
    const failure = new DOMException('Internal error', 'UnknownError');
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
      throw failure;
    });
    await expect(put('m', 'r1', 'a.bin')).rejects.toBe(failure);
  });
});

describe('when the storage is full', () => {
  afterEach(() => vi.restoreAllMocks());

  /** Makes transactions of writes end as they do in a browser without space. */
  function runOutOfSpace(when: 'while writing' | 'after writing'): void {
    const original = IDBObjectStore.prototype.put;
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (
      this: IDBObjectStore,
      ...args
    ) {
      const request = original.apply(this, args);
      const abort = () => abortForQuota(this.transaction);
      if (when === 'while writing') queueMicrotask(abort);
      else request.addEventListener('success', abort);
      return request;
    });
  }

  /** fake-indexeddb's own way to end a transaction for a reason of the browser's. */
  function abortForQuota(transaction: IDBTransaction): void {
    const abort: unknown = Reflect.get(transaction, '_abort');
    if (typeof abort !== 'function') throw new Error('fake-indexeddb has changed.');
    abort.call(transaction, 'QuotaExceededError');
  }

  test.each(['while writing', 'after writing'] as const)(
    'noticed %s, it is storage_full, which no retry mends, and the file is not there',
    async (when) => {
      runOutOfSpace(when);
      await expect(put('m', 'r1', 'a.bin')).rejects.toMatchObject({
        data: { status: 500, code: 'storage_full', retryable: false },
      });
      expect(await store.paths('m', 'r1')).toEqual(new Set());
    },
  );

  test('files that were stored before stay', async () => {
    await put('m', 'r1', 'a.bin');
    runOutOfSpace('after writing');
    await expect(put('m', 'r1', 'b.bin')).rejects.toThrow(/No space left/);
    expect(await store.paths('m', 'r1')).toEqual(new Set(['a.bin']));
  });
});

test('a write that fails for another reason keeps its own error', async () => {
  (await open()).close();
  await expect(put('m', 'r1', 'a.bin')).rejects.toMatchObject({ name: 'InvalidStateError' });
});

test('SHA-256 of a blob is written in hex', async () => {
  expect(await blobSha256(new Blob(['abc']))).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
});
