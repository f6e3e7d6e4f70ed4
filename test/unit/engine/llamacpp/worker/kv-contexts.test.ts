import { describe, expect, test } from 'vitest';
import { KvContexts } from '../../../../../src/engine/llamacpp/worker/kv-contexts.ts';
import { LlamaError } from '../../../../../src/engine/llamacpp/worker/llama-error.ts';
import { decode, encode, FakeLlama, imageTokens } from '../../../support/fakes/fake-llama.ts';

function open(llama = new FakeLlama()) {
  const contexts = new KvContexts(llama, imageTokens(llama), 1000);
  /** Answers a prompt; returns the context that was used and what was computed of the prompt. */
  const answer = async (
    prompt: string,
    output: string,
    mayAdd = true,
  ): Promise<[number, string]> => {
    const prefill = await contexts.start(prompt, encode(prompt), { mayAdd });
    if (!prefill) throw new Error('All contexts are in use.');
    const { context, tokens, kept, end } = prefill;
    const rest = tokens.slice(kept);
    llama.decode(context, [...rest, ...encode(output)], kept, 1);
    end({ tokens: [...tokens, ...encode(output)], output });
    return [context, decode(rest)];
  };
  return { llama, contexts, answer };
}

const SYSTEM = 'be nice and answer every question in full|';

test('each conversation gets a context of its own, as long as there may be more', async () => {
  const { contexts, answer } = open();
  for (let index = 0; index < 32; index++) {
    expect(await answer(`${index}|A:`, 'hi')).toEqual([index, `${index}|A:`]);
  }
  for (let index = 0; index < 32; index++) {
    expect(await answer(`${index}|A:hi|more|A:`, 'yes')).toEqual([index, '|more|A:']);
  }
  expect(contexts.count).toBe(32);
  // The next one takes the place of the one that was used least recently.
  expect(await answer('other|A:', 'hi')).toEqual([0, 'other|A:']);
  expect(contexts.count).toBe(32);
});

test('without room for another context, conversations share those that exist', async () => {
  const { contexts, answer } = open();
  await answer('one|A:', 'hi');
  expect(await answer('two|A:', 'hi', false)).toEqual([0, 'two|A:']);
  expect(contexts.count).toBe(1);
  expect(await answer('six|A:', 'hi')).toEqual([1, 'six|A:']);
});

test('if memory runs out, the contexts that exist go on, and no further one is tried', async () => {
  const llama = new FakeLlama();
  llama.room = 2;
  const { contexts, answer } = open(llama);
  for (const name of ['one', 'two', 'six', 'ten']) await answer(`${name}|A:`, name);
  expect(contexts.count).toBe(2);
  llama.room = Infinity;
  await answer('new|A:', 'new');
  expect(contexts.count).toBe(2);
  expect((await answer('new|A:new|more|A:', 'yes'))[1]).toBe('|more|A:');
});

describe('while an answer is under way', () => {
  test('its context is not chosen for another prompt, but what it holds is copied', async () => {
    const { llama, contexts } = open();
    const first = await contexts.start(`${SYSTEM}one|A:`, encode(`${SYSTEM}one|A:`), {
      mayAdd: true,
    });
    llama.decode(0, encode(SYSTEM), 0, 0);
    first?.hold(SYSTEM.length);
    const second = await contexts.start(`${SYSTEM}two|A:`, encode(`${SYSTEM}two|A:`), {
      mayAdd: true,
    });
    expect([first?.context, second?.context]).toEqual([0, 1]);
    expect(second?.kept).toBe(SYSTEM.length);
    expect(llama.copies).toEqual([[0, 1]]);
  });

  test('a prompt for which there is no other context waits for its end', async () => {
    const { contexts } = open();
    const first = await contexts.start('one|A:', encode('one|A:'), { mayAdd: false });
    const { freed } = contexts;
    expect(await contexts.start('two|A:', encode('two|A:'), { mayAdd: false })).toBeUndefined();
    first?.end(undefined);
    await freed;
    expect((await contexts.start('two|A:', encode('two|A:'), { mayAdd: false }))?.context).toBe(0);
  });

  test('memory may be too short for another context', async () => {
    const llama = new FakeLlama();
    llama.room = 1;
    const { contexts } = open(llama);
    await contexts.start('one|A:', encode('one|A:'), { mayAdd: true });
    expect(await contexts.start('two|A:', encode('two|A:'), { mayAdd: true })).toBeUndefined();
    expect(contexts.count).toBe(1);
  });

  test('its tokens count as held', async () => {
    const { contexts } = open();
    await contexts.start('one|A:', encode('one|A:'), { mayAdd: true });
    expect(contexts.tokens).toEqual(expect.arrayContaining(encode('one|A:')));
  });
});

test('the first context needs memory', () => {
  const llama = new FakeLlama();
  llama.room = 0;
  expect(() => new KvContexts(llama, imageTokens(llama), 1000)).toThrow(LlamaError);
});

describe('a conversation that begins like another one', () => {
  test('starts from a copy', async () => {
    const { llama, answer } = open();
    await answer(`${SYSTEM}one|A:`, '1');
    expect(await answer(`${SYSTEM}two|A:`, '2')).toEqual([1, 'two|A:']);
    expect(llama.copies).toEqual([[0, 1]]);
    expect(await answer(`${SYSTEM}one|A:1|more|A:`, '3')).toEqual([0, '|more|A:']);
    expect(await answer(`${SYSTEM}two|A:2|more|A:`, '4')).toEqual([1, '|more|A:']);
  });

  test('is computed from its beginning if there is no memory for a copy', async () => {
    const { llama, answer } = open();
    llama.canCopy = false;
    await answer(`${SYSTEM}one|A:`, '1');
    expect(await answer(`${SYSTEM}two|A:`, '2')).toEqual([1, `${SYSTEM}two|A:`]);
  });
});

test('where KV caches cannot be truncated, only what continues them is not computed again', async () => {
  const { llama, answer } = open();
  llama.canKeep = false;
  await answer('hello|A:', 'hi');
  expect(await answer('hello|A:hi|more|A:', 'yes')).toEqual([0, '|more|A:']);
  expect(await answer('hello|A:hi|less|A:', 'no')).toEqual([0, 'hello|A:hi|less|A:']);
});

test('after a generation that failed, nothing is known of its context', async () => {
  const { contexts, answer } = open();
  await answer('hello|A:', 'hi');
  const prompt = 'hello|A:hi|more|A:';
  const prefill = await contexts.start(prompt, encode(prompt), { mayAdd: true });
  expect(prefill?.context).toBe(0);
  prefill?.end(undefined);
  expect(contexts.texts).toEqual(['']);
  expect(await answer('hello|A:hi|more|A:', 'yes')).toEqual([0, 'hello|A:hi|more|A:']);
});
