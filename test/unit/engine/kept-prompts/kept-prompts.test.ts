import { describe, expect, test } from 'vitest';
import type { NewPrompt } from '../../../../src/engine/kept-prompts/kept-prompts.ts';
import { PIECE } from '../../../../src/engine/kept-prompts/prompt-folder.ts';
import { keptOnFakeDisk } from '../../support/models/kept-prompts.ts';

const OF = { model: 'm', version: 'v1', build: 'b1' };
const HOUR = 3_600_000;

const tokens = (count: number, first = 0) => Array.from({ length: count }, (_, at) => first + at);

/** The kept prompts of a site, at a time that the test sets. */
function open() {
  const clock = { now: 1_000_000 };
  const { disk, kept } = keptOnFakeDisk(() => clock.now);
  const keep = (count: number, changes: Partial<NewPrompt> = {}, fill = 1) => {
    const { bytes = 100 } = changes;
    let left = bytes;
    const take = async () => {
      const piece = new Uint8Array(Math.min(left, PIECE)).fill(fill);
      left -= piece.length;
      return piece;
    };
    const asked = { of: OF, owner: 'site', tokens: tokens(count), bytes, hours: 1, ...changes };
    return kept.keep(asked, take);
  };
  const find = async (count: number, owner = 'site', of = OF) =>
    (await kept.find(of, owner, tokens(count)))?.tokens;
  const read = async (count: number) => {
    const found = await kept.find(OF, 'site', tokens(count));
    if (!found) return undefined;
    const pieces = await Array.fromAsync(kept.read(found));
    return pieces.map(({ length }) => length);
  };
  return { clock, disk, kept, keep, find, read };
}

describe('a kept prompt', () => {
  test('is found by prompts that go beyond it; the longest counts', async () => {
    const { keep, find, kept } = open();
    await keep(300);
    await keep(400);
    expect(await find(500)).toBe(400);
    expect(await find(400)).toBe(300);
    expect(await find(300)).toBeUndefined();
    expect(await kept.find(OF, 'site', tokens(500, 1))).toBeUndefined();
    expect(await kept.size()).toEqual({ prompts: 2, bytes: 200 });
  });

  test('is read piece by piece as it was written', async () => {
    const { keep, read } = open();
    await keep(300, { bytes: PIECE + 8 });
    expect(await read(301)).toEqual([PIECE, 8]);
  });

  test('is of one owner, one version of a model and one build', async () => {
    const { keep, find } = open();
    await keep(300, { owner: 'a' });
    expect(await find(400, 'b')).toBeUndefined();
    expect(await find(400, 'site')).toBeUndefined();
    expect(await find(400, 'a', { ...OF, build: 'b2' })).toBeUndefined();
    expect(await find(400, 'a', { ...OF, model: 'other' })).toBeUndefined();
    expect(await find(400, 'a')).toBe(300);
  });

  test('is deleted when its model has another version', async () => {
    const { keep, find, disk } = open();
    await keep(300);
    expect(await find(400, 'site', { ...OF, version: 'v2' })).toBeUndefined();
    expect(disk.files.size).toBe(0);
    expect(await find(400)).toBeUndefined();
  });

  test('expires, unless a request asks for it again', async () => {
    const { clock, keep, find, kept, disk } = open();
    await keep(300, { hours: 2 });
    clock.now += HOUR;
    expect(await kept.renew(OF, 'site', tokens(300), 12)).toBe(true);
    clock.now += 11 * HOUR;
    expect(await find(400)).toBe(300);
    clock.now += HOUR;
    expect(await find(400)).toBeUndefined();
    expect(await kept.renew(OF, 'site', tokens(300), 12)).toBe(false);
    await kept.sweep(() => true);
    expect([disk.files.size, await kept.size()]).toEqual([0, { prompts: 0, bytes: 0 }]);
  });

  test('is not read if its file is damaged, shorter or gone', async () => {
    for (const break_ of [
      ({ disk }: ReturnType<typeof open>) => disk.damage(),
      ({ disk }: ReturnType<typeof open>) => {
        for (const name of disk.files.keys()) disk.files.set(name, new Blob(['short']));
      },
      ({ disk }: ReturnType<typeof open>) => disk.files.clear(),
    ]) {
      const opened = open();
      await opened.keep(300);
      break_(opened);
      await expect(opened.read(400)).rejects.toThrow('kept prompt');
      expect(await opened.read(400)).toBeUndefined();
      expect([opened.disk.files.size, (await opened.kept.size()).prompts]).toEqual([0, 0]);
    }
  });
});

describe('what may be kept', () => {
  test('has a limit: those that were not used for longest make way', async () => {
    const { clock, keep, find, kept, disk } = open();
    const maxBytes = 250;
    const owners = ['a', 'b'];
    for (const owner of owners) {
      await keep(300, { owner, maxBytes });
      clock.now++;
    }
    expect(await find(400, 'a')).toBe(300);
    clock.now++;
    await keep(300, { owner: 'c', maxBytes });
    expect(await Promise.all(['a', 'b', 'c'].map((owner) => find(400, owner)))).toEqual([
      300,
      undefined,
      300,
    ]);
    expect(disk.files.size).toBe(2);
    expect(await keep(300, { owner: 'd', bytes: 251, maxBytes })).toBe(false);
    expect(await kept.size()).toEqual({ prompts: 2, bytes: 200 });
  });

  test('leaves nothing behind on a full disk', async () => {
    const { disk, keep, find, kept } = open();
    disk.room = 50;
    await expect(keep(300)).rejects.toThrow('full');
    expect(await find(400)).toBeUndefined();
    expect([disk.files.size, (await kept.size()).prompts]).toEqual([0, 0]);
  });

  test('is deleted with its model and its owner, and all at once', async () => {
    const { disk, keep, find, kept } = open();
    await keep(300, { of: { ...OF, model: 'gone' } });
    await keep(300, { owner: 'gone' });
    await keep(300);
    await kept.removeModel('gone');
    expect(disk.files.size).toBe(2);
    await kept.sweep(({ owner }) => owner !== 'gone');
    expect(disk.files.size).toBe(1);
    expect(await find(400)).toBe(300);
    await kept.clear();
    expect([await find(400), disk.files.size]).toEqual([undefined, 0]);
  });

  test('files that nobody knows of are swept', async () => {
    const { disk, keep, kept } = open();
    await keep(300);
    disk.files.set('half', new Blob(['…']));
    await kept.sweep(() => true);
    expect(disk.files.size).toBe(1);
  });
});
