import { describe, expect, test } from 'vitest';
import { WarmConversations } from '../../../../src/engine/models/warm-conversations.ts';

/** Each character is a token, and `|` ends a message. */
const encode = (text: string) => Array.from(text, (character) => character.charCodeAt(0));
const stopTokenIds = encode('|');

function open(): WarmConversations {
  return new WarmConversations(2, { contextLength: 1000, stopTokenIds, encode });
}

describe('prompts with a key', () => {
  const of = (key: string | undefined, client = 'a') => ({ client, key });
  const ask = (caches: WarmConversations, prompt: string, caching: { client: string }) => {
    const { cache, tokens, kept } = caches.start(prompt, encode(prompt), undefined, caching);
    caches.remember(cache, { tokens: [...tokens, ...encode('hi')], output: 'hi' });
    return [cache, kept];
  };

  test('take the place of others first', () => {
    const caches = open();
    ask(caches, 'one|A:', of('k'));
    ask(caches, 'two|A:', of(undefined));
    expect(ask(caches, 'six|A:', of('k'))).toEqual([1, 0]);
    expect(ask(caches, 'one|A:hi|more|A:', of('k'))).toEqual([0, 8]);
  });

  test('of another client are others', () => {
    const caches = open();
    ask(caches, 'one|A:', of('k', 'a'));
    ask(caches, 'two|A:', of('k', 'b'));
    expect(ask(caches, 'six|A:', of('k', 'b'))).toEqual([0, 0]);
  });
});

test('what only one request may use is used by no other, until that is over', () => {
  const caches = open();
  const start = (request: number | undefined) =>
    caches.start('one|A:', encode('one|A:'), undefined, { client: 'a', request });
  const { cache } = start(1);
  caches.remember(cache, { tokens: encode('one|A:hi'), output: 'hi' });
  expect(caches.isWarm('one|A:')).toBe(false);
  expect(start(1).kept).toBe(5);
  expect([start(2).kept, start(undefined).kept]).toEqual([0, 0]);
  expect(caches.forgetRequest(2)).toEqual([1]);
});
