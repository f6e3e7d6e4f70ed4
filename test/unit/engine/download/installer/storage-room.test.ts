import { describe, expect, test, vi } from 'vitest';
import { CatalogStore } from '../../../../../src/core/catalog/catalog-store.ts';
import { serverError } from '../../../../../src/core/errors/errors.ts';
import { WeightReader } from '../../../../../src/core/weights/weight-reader.ts';
import {
  chooseEvictions,
  StorageRoom,
} from '../../../../../src/engine/download/installer/storage-room.ts';
import { emptyDatabase } from '../../../support/database.ts';
import { installation, packEntry } from '../../../support/entries.ts';

const models = [
  { id: 'new', bytes: 30, lastUsed: 3 },
  { id: 'never', bytes: 10, lastUsed: 0 },
  { id: 'old', bytes: 20, lastUsed: 1 },
];
const chosen = (needed: number) => chooseEvictions(models, needed)?.map(({ id }) => id);

test('the least recently used models are chosen, and no more than necessary', () => {
  expect(chosen(10)).toEqual(['never']);
  expect(chosen(11)).toEqual(['never', 'old']);
  expect(chosen(31)).toEqual(['never', 'old', 'new']);
});

test('if all models together are not enough, none is chosen', () => {
  expect(chosen(61)).toBeUndefined();
  expect(chooseEvictions([], 1)).toBeUndefined();
});

describe('a disk that is full although the browser estimated space', () => {
  const LARGE = { ...installation('r1'), files: [{ path: 'a.bin', size: 25, url: 'http://x/a' }] };
  const full = () => serverError('storage_full', 'No space left.');

  /** With the models above installed; `removed` are those that had to go. */
  async function openRoom() {
    const open = emptyDatabase();
    const catalog = new CatalogStore(open);
    const database = await open();
    for (const { id, bytes, lastUsed } of models) {
      await catalog.put(packEntry(id, 'r1', { bytes, installed: installation('r1') }));
      if (lastUsed > 0) await database.put('uses', lastUsed, id);
    }
    const removed: string[] = [];
    const remove = async (id: string) => void removed.push(id);
    return { room: new StorageRoom({ catalog, weights: new WeightReader(open), remove }), removed };
  }

  test('gets as much room as is missing, once, from models that may be removed', async () => {
    const { room, removed } = await openRoom();
    const download = vi.fn<() => Promise<void>>().mockRejectedValueOnce(full());
    await room.make('m', LARGE, new Set(), download.mockResolvedValue());
    expect(download).toHaveBeenCalledTimes(2);
    expect(removed).toEqual(['never', 'old']);
  });

  test('fails the download if it is still full, and no more models are removed', async () => {
    const { room, removed } = await openRoom();
    const outcome = room.make('m', LARGE, new Set(['never']), () => Promise.reject(full()));
    await expect(outcome).rejects.toMatchObject({ data: { code: 'storage_full' } });
    expect(removed).toEqual(['old', 'new']);
  });

  test('fails the download if no model may be removed, or all are not enough', async () => {
    const { room, removed } = await openRoom();
    const download = vi.fn<() => Promise<void>>().mockRejectedValue(full());
    for (const keep of [undefined, new Set(['old', 'new'])]) {
      await expect(room.make('m', LARGE, keep, download)).rejects.toThrow('No space left.');
    }
    expect([download.mock.calls.length, removed]).toEqual([2, []]);
  });

  test('is not assumed for other errors', async () => {
    const { room, removed } = await openRoom();
    const broken = () => Promise.reject(serverError('engine_error', 'The network is down.'));
    await expect(room.make('m', LARGE, new Set(), broken)).rejects.toThrow('network');
    expect(removed).toEqual([]);
  });
});
