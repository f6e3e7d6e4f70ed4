import { expect, test } from 'vitest';
import type { CatalogEntry } from '../../../../src/core/catalog/catalog-entry.ts';
import { blobSha256, WeightStore } from '../../../../src/core/weights/weight-store.ts';
import { ModelSlot } from '../../../../src/engine/workers/model-slot.ts';
import { emptyDatabase } from '../../support/database.ts';
import { packEntry } from '../../support/entries.ts';

const PATH = 'config.json';

const SPEECH = {
  family: 'vits' as const,
  voices: [{ id: 'v', name: 'V', languages: ['en-US'] }],
  sampleRate: 16_000,
};

/** A slot for the models `a` and `b`, which consist of one file each, and a log of loads and disposals. */
async function openSlot() {
  const log: string[] = [];
  const weights = new WeightStore(emptyDatabase());
  const entries = new Map<string, CatalogEntry>([['absent', packEntry('absent')]]);
  const install = async (id: string, revision: string) => {
    const blob = new Blob([`${id} ${revision}`]);
    const sha256 = await blobSha256(blob);
    await weights.put(id, revision, PATH, { blob, sha256 });
    const file = { path: PATH, size: blob.size, sha256, url: 'http://site/config.json' };
    const installed = { revision, files: [file] };
    entries.set(id, packEntry(id, revision, { speech: SPEECH, installed }));
  };
  await install('a', 'r1');
  await install('b', 'r1');
  const slot = new ModelSlot({
    catalog: { get: (id) => Promise.resolve(entries.get(id)) },
    weights,
    engine: 'onnx',
    open: async (_installed, read) => {
      const text = (await (await read(PATH))?.text()) ?? '';
      log.push(`open ${text}`);
      return { text, dispose: () => Promise.resolve(void log.push(`dispose ${text}`)) };
    },
  });
  return { slot, log, weights };
}

test('a model is loaded once, even by two jobs at the same time', async () => {
  const { slot, log } = await openSlot();
  const [one, other] = await Promise.all([slot.load('a'), slot.load('a')]);
  expect(one).toBe(other);
  expect(one.text).toBe('a r1');
  expect(log).toEqual(['open a r1']);
});

test('another model takes the place of the first, which is disposed', async () => {
  const { slot, log } = await openSlot();
  await Promise.all([slot.load('a'), slot.load('b')]);
  expect(log).toEqual(['open a r1', 'dispose a r1', 'open b r1']);
});

test.each(['absent', 'unknown'])('a model that is not installed is an error: %s', async (id) => {
  const { slot, log } = await openSlot();
  await expect(slot.load(id)).rejects.toThrow(
    `The model '${id}' does not exist or is not installed`,
  );
  expect(log).toEqual([]);
});

test('a damaged file is removed and reported, and other models can still be loaded', async () => {
  const { slot, log, weights } = await openSlot();
  const { sha256 = '' } = (await weights.find('a', 'r1', PATH)) ?? {};
  await weights.put('a', 'r1', PATH, { blob: new Blob(['b r1']), sha256 });
  await expect(slot.load('a')).rejects.toThrow('was damaged');
  expect(await weights.find('a', 'r1', PATH)).toBeUndefined();
  await slot.load('b');
  expect(log).toEqual(['open b r1']);
});
