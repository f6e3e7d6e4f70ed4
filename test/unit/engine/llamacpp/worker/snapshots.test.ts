import { describe, expect, test } from 'vitest';
import { encode, FakeLlama } from '../../../support/fakes/fake-llama.ts';
import { Snapshots } from '../../../../../src/engine/llamacpp/worker/snapshots.ts';
import { openModel } from '../../../support/models/generating.ts';

/** Bytes of a context of `FakeLlama`. */
const EACH = 1000;

function open(room = Infinity) {
  const llama = new FakeLlama();
  const context = llama.newContext();
  llama.room = room;
  const snapshots = new Snapshots(llama, () => llama.newContext());
  const keep = (text: string, most = 3 * EACH, client = 'a') => {
    llama.decode(context, encode(text), 0, 1);
    return snapshots.keep(client, context, encode(text), most);
  };
  const find = (text: string, client = 'a') => snapshots.find(client, encode(text))?.tokens.length;
  return { llama, snapshots, keep, find };
}

describe('copies', () => {
  test('are found by prompts that go beyond them; the longest counts', async () => {
    const { keep, find } = open();
    expect([await keep('hello'), await keep('hello, you')]).toEqual([true, true]);
    expect(find('hello, you there')).toBe(10);
    expect(find('hello, you')).toBe(5);
    expect(find('hello')).toBeUndefined();
    expect(find('other')).toBeUndefined();
  });

  test('are of one client each', async () => {
    const { keep, find } = open();
    await keep('hello', 3 * EACH, 'a');
    expect(find('hello there', 'b')).toBeUndefined();
    expect(await keep('hello', 3 * EACH, 'b')).toBe(true);
  });

  test('are made once', async () => {
    const { keep, snapshots } = open();
    expect([await keep('hello'), await keep('hello')]).toEqual([true, false]);
    expect(snapshots.bytes).toBe(EACH);
  });

  test('take the place of those that were not used for longest', async () => {
    const { keep, find, snapshots } = open();
    for (const text of ['one', 'two', 'six']) await keep(text);
    find('one more');
    await keep('ten');
    expect(['one!', 'two!', 'six!', 'ten!'].map((text) => find(text))).toEqual([
      3,
      undefined,
      3,
      3,
    ]);
    expect(snapshots.bytes).toBe(3 * EACH);
  });

  test('are not made without room or memory', async () => {
    const { keep, find, snapshots } = open(2);
    expect(await keep('hello', EACH - 1)).toBe(false);
    expect(await keep('hello')).toBe(false);
    expect([find('hello there'), snapshots.bytes]).toEqual([undefined, 0]);
  });

  test('that fail leave nothing', async () => {
    const { llama, keep, snapshots } = open();
    llama.canCopy = false;
    expect(await keep('hello')).toBe(false);
    expect(snapshots.tokens).toEqual([]);
  });
});

describe('an answer with breakpoints', () => {
  const asked = (characters: number[], more: object = {}) => ({
    mayGrowSnapshots: true,
    generation: {
      caching: {
        client: 'a',
        breakpoints: characters.map((at, index) => ({ characters: at, hours: index > 0 ? 1 : 0 })),
        ...more,
      },
    },
  });

  test('reads its prompt in pieces, and tells what it has written where', async () => {
    const { llama, ask } = openModel();
    const first = await ask({ prompt: 'be nice|hello|A:', ...asked([7, 13]) });
    expect(llama.batches.slice(0, 3)).toEqual(['be nice', '|hello', '|A:']);
    expect(first.usage).toMatchObject({ cachedTokens: 0, cacheWrites: { short: 7, long: 6 } });
  });

  test('leaves the last token out that may be one with what follows', async () => {
    const { llama, ask } = openModel();
    await ask({ prompt: 'be nice to me|A:', ...asked([7]) });
    expect(llama.batches.slice(0, 2)).toEqual(['be nic', 'e to me|A:']);
  });

  test('starts from the copy for another question', async () => {
    const { llama, ask } = openModel();
    llama.goesBack = false;
    const request = { ...asked([7], { request: 1 }) };
    await ask({ prompt: 'be nice|one|A:', ...request });
    const next = await ask({ prompt: 'be nice|two|A:', ...asked([7], { request: 2 }) });
    expect(llama.batches[0]).toBe('|two|A:');
    expect(next.usage).toMatchObject({ cachedTokens: 7 });
    expect(next.usage).not.toHaveProperty('cacheWrites');
  });

  test('keeps no copy where memory does not allow it', async () => {
    const { ask, contexts } = openModel();
    const answer = await ask({ prompt: 'be nice|one|A:', ...asked([7]), mayGrowSnapshots: false });
    expect(answer.usage).not.toHaveProperty('cacheWrites');
    expect(contexts.snapshotBytes).toBe(0);
  });

  test('writes the same text', async () => {
    const plain = await openModel().ask({ prompt: 'be nice|hello|A:' });
    const kept = await openModel().ask({ prompt: 'be nice|hello|A:', ...asked([7, 13]) });
    expect([kept.text, kept.usage.completionTokens]).toEqual([
      plain.text,
      plain.usage.completionTokens,
    ]);
  });
});

test('a request of its own is forgotten at its end, and its KV cache is emptied', async () => {
  const { llama, contexts, ask } = openModel();
  const own = { generation: { caching: { client: 'a', request: 5 } } };
  await ask({ prompt: 'secret|A:', ...own });
  const again = await ask({ prompt: 'secret|A:', ...own });
  expect(again.usage.cachedTokens).toBe(8);
  expect(contexts.texts).toEqual(['']);
  const other = await ask({ prompt: 'secret|A:' });
  expect(other.usage.cachedTokens).toBe(0);
  contexts.forget(5);
  expect(llama.contexts[0]).toEqual([]);
});
