import { describe, expect, test } from 'vitest';
import { KvContexts } from '../../../../../src/engine/llamacpp/worker/kv-contexts.ts';
import { LlamaError } from '../../../../../src/engine/llamacpp/worker/llama-error.ts';
import { decode, encode, FakeLlama, imageTokens } from '../../../support/fake-llama.ts';

function open(llama = new FakeLlama()) {
  const contexts = new KvContexts(llama, imageTokens(llama), 1000);
  /** Answers a prompt; returns the context that was used and what was computed of the prompt. */
  const answer = (prompt: string, output: string, mayAdd = true): [number, string] => {
    const { context, tokens, kept, end } = contexts.start(prompt, encode(prompt), { mayAdd });
    const rest = tokens.slice(kept);
    llama.decode(context, [...rest, ...encode(output)], kept, 1);
    end({ tokens: [...tokens, ...encode(output)], output });
    return [context, decode(rest)];
  };
  return { llama, contexts, answer };
}

const SYSTEM = 'be nice and answer every question in full|';

test('each conversation gets a context of its own, as long as there may be more', () => {
  const { contexts, answer } = open();
  for (let index = 0; index < 32; index++) {
    expect(answer(`${index}|A:`, 'hi')).toEqual([index, `${index}|A:`]);
  }
  for (let index = 0; index < 32; index++) {
    expect(answer(`${index}|A:hi|more|A:`, 'yes')).toEqual([index, '|more|A:']);
  }
  expect(contexts.count).toBe(32);
  // The next one takes the place of the one that was used least recently.
  expect(answer('other|A:', 'hi')).toEqual([0, 'other|A:']);
  expect(contexts.count).toBe(32);
});

test('without room for another context, conversations share those that exist', () => {
  const { contexts, answer } = open();
  answer('one|A:', 'hi');
  expect(answer('two|A:', 'hi', false)).toEqual([0, 'two|A:']);
  expect(contexts.count).toBe(1);
  expect(answer('six|A:', 'hi')).toEqual([1, 'six|A:']);
});

test('if memory runs out, the contexts that exist go on, and no further one is tried', () => {
  const llama = new FakeLlama();
  llama.room = 2;
  const { contexts, answer } = open(llama);
  for (const name of ['one', 'two', 'six', 'ten']) answer(`${name}|A:`, name);
  expect(contexts.count).toBe(2);
  llama.room = Infinity;
  answer('new|A:', 'new');
  expect(contexts.count).toBe(2);
  expect(answer('new|A:new|more|A:', 'yes')[1]).toBe('|more|A:');
});

test('the first context needs memory', () => {
  const llama = new FakeLlama();
  llama.room = 0;
  expect(() => new KvContexts(llama, imageTokens(llama), 1000)).toThrow(LlamaError);
});

describe('a conversation that begins like another one', () => {
  test('starts from a copy', () => {
    const { llama, answer } = open();
    answer(`${SYSTEM}one|A:`, '1');
    expect(answer(`${SYSTEM}two|A:`, '2')).toEqual([1, 'two|A:']);
    expect(llama.copies).toEqual([[0, 1]]);
    expect(answer(`${SYSTEM}one|A:1|more|A:`, '3')).toEqual([0, '|more|A:']);
    expect(answer(`${SYSTEM}two|A:2|more|A:`, '4')).toEqual([1, '|more|A:']);
  });

  test('is computed from its beginning if there is no memory for a copy', () => {
    const { llama, answer } = open();
    llama.canCopy = false;
    answer(`${SYSTEM}one|A:`, '1');
    expect(answer(`${SYSTEM}two|A:`, '2')).toEqual([1, `${SYSTEM}two|A:`]);
  });
});

test('where KV caches cannot be truncated, only what continues them is not computed again', () => {
  const { llama, answer } = open();
  llama.canKeep = false;
  answer('hello|A:', 'hi');
  expect(answer('hello|A:hi|more|A:', 'yes')).toEqual([0, '|more|A:']);
  expect(answer('hello|A:hi|less|A:', 'no')).toEqual([0, 'hello|A:hi|less|A:']);
});

test('after a generation that failed, nothing is known of its context', () => {
  const { contexts, answer } = open();
  answer('hello|A:', 'hi');
  const { context, end } = contexts.start('hello|A:hi|more|A:', encode('hello|A:hi|more|A:'), {
    mayAdd: true,
  });
  expect(context).toBe(0);
  end(undefined);
  expect(contexts.texts).toEqual(['']);
  expect(answer('hello|A:hi|more|A:', 'yes')).toEqual([0, 'hello|A:hi|more|A:']);
});
