import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { WarmConversations } from '../../../../src/engine/models/warm-conversations.ts';

/** Each character is a token, and `|` ends a message. */
const encode = (text: string) => Array.from(text, (character) => character.charCodeAt(0));
const decode = (tokens: readonly number[]) => String.fromCharCode(...tokens);
const [STOP = 0] = encode('|');

function open(count = 2, contextLength = 1000, canCopy = false): WarmConversations {
  return new WarmConversations(count, { contextLength, stopTokenIds: [STOP], encode, canCopy });
}

/** Answers a prompt; returns which cache was used and what was prefilled. */
function answer(caches: WarmConversations, prompt: string, output: string): [number, string] {
  const { cache, tokens, kept } = caches.start(prompt, encode(prompt));
  caches.remember(cache, { tokens: [...tokens, ...encode(output)], output });
  return [cache, decode(tokens.slice(kept))];
}

describe('a prompt', () => {
  test('is prefilled whole if nothing came before', () => {
    expect(answer(open(), 'hello|A:', 'hi')).toEqual([0, 'hello|A:']);
  });

  test('that continues an answer prefills what is new', () => {
    const caches = open();
    answer(caches, 'hello|A:', 'hi');
    expect(answer(caches, 'hello|A:hi|more|A:', 'yes')).toEqual([0, '|more|A:']);
    expect(answer(caches, 'hello|A:hi|more|A:yes|and|A:', 'no')).toEqual([0, '|and|A:']);
  });

  test('that is repeated prefills its last token, which gives the first logits', () => {
    const caches = open();
    answer(caches, 'hello|A:', 'a long answer, longer than what was asked');
    expect(answer(caches, 'hello|A:', 'hi')).toEqual([0, ':']);
    expect(answer(caches, 'hello|A:hi|more|A:', 'yes')).toEqual([0, '|more|A:']);
  });

  test('whose last message was changed keeps what precedes it', () => {
    const caches = open();
    answer(caches, 'hello|A:', 'hi');
    answer(caches, 'hello|A:hi|more|A:', 'yes');
    expect(answer(caches, 'hello|A:hi|less|A:', 'no')).toEqual([0, 'less|A:']);
  });

  test('whose past is rendered without thinking keeps what precedes that', () => {
    const caches = open();
    answer(caches, 'hello|A:<t>', 'a thought that is long</t>hi');
    expect(answer(caches, 'hello|A:hi|more|A:<t>', '</t>yes')).toEqual([0, 'hi|more|A:<t>']);
  });

  test('whose reading was ended early goes on from there, in the same cache', () => {
    const caches = open();
    answer(caches, 'other|A:', 'hi');
    const text = 'a very long question|A:';
    caches.remember(caches.start(text, encode(text)).cache, {
      tokens: encode('a very lo'),
      output: undefined,
    });
    expect(answer(caches, text, 'yes')).toEqual([1, 'ng question|A:']);
    expect(answer(caches, 'other|A:hi|more|A:', 'yes')).toEqual([0, '|more|A:']);
  });

  test('continues an answer that was cut, as far as the cache holds it', () => {
    const caches = open();
    const { cache, tokens } = caches.start('hello|A:', encode('hello|A:'));
    // The token that was sampled last has not been read.
    caches.remember(cache, { tokens: [...tokens, ...encode('a lon')], output: undefined });
    expect(answer(caches, 'hello|A:a long|more|A:', '')).toEqual([0, 'g|more|A:']);
  });

  test('of one token is prefilled', () => {
    const caches = open();
    expect(answer(caches, 'h', 'i')).toEqual([0, 'h']);
    expect(answer(caches, 'h', 'i')[1]).toBe('h');
  });
});

describe('conversations that alternate', () => {
  test('have a cache each, whatever system prompt they share', () => {
    const caches = open();
    const system = 'be nice and answer every question in full|';
    expect(answer(caches, `${system}one|A:`, '1')).toEqual([0, `${system}one|A:`]);
    expect(answer(caches, `${system}two|A:`, '2')).toEqual([1, `${system}two|A:`]);
    expect(answer(caches, `${system}one|A:1|more|A:`, '3')).toEqual([0, '|more|A:']);
    expect(answer(caches, `${system}two|A:2|more|A:`, '4')).toEqual([1, '|more|A:']);
  });

  test('are separated where they differ', () => {
    const caches = open();
    answer(caches, 'hello|A:', 'hi');
    answer(caches, 'hello|A:hi|tell me about cats|A:', 'They sleep.');
    // The prompts have little in common, and the cache has more to lose.
    expect(answer(caches, 'hello|A:hi|a word about dogs|A:', 'They bark.')[0]).toBe(1);
    expect(answer(caches, 'hello|A:hi|tell me about cats|A:They sleep.|why|A:', '')).toEqual([
      ...[0, '|why|A:'],
    ]);
  });

  test('that outnumber the caches replace the least recently used one', () => {
    const caches = open();
    const system = 'be nice|';
    answer(caches, `${system}one|A:`, '1');
    answer(caches, `${system}two|A:`, '2');
    answer(caches, `${system}one|A:1|more|A:`, '3');
    // The replaced cache keeps the part that it shares with the new prompt.
    expect(answer(caches, `${system}six|A:`, '4')).toEqual([1, 'six|A:']);
    expect(answer(caches, `${system}one|A:1|more|A:3|more|A:`, '')[0]).toBe(0);
  });

  test('share one cache if there is no other', () => {
    const caches = open(1);
    answer(caches, 'be nice|one|A:', '1');
    expect(answer(caches, 'be nice|two|A:', '2')).toEqual([0, 'two|A:']);
    expect(answer(caches, 'be nice|one|A:1|more|A:', '3')).toEqual([0, 'one|A:1|more|A:']);
  });
});

describe('what the model wrote in other tokens than its text is tokenized to', () => {
  /** "ab" is read as one token; the model may write it as two. */
  const merging = (text: string) => encode(text.replaceAll('ab', '\u00ff'));
  const written = encode('cab');
  const openMerging = (contextLength = 1000) =>
    new WarmConversations(2, { contextLength, stopTokenIds: [STOP], encode: merging });

  test('stays as it was written', () => {
    const caches = openMerging();
    const { cache, tokens } = caches.start('hello|A:', merging('hello|A:'));
    caches.remember(cache, { tokens: [...tokens, ...written], output: 'cab' });
    const next = 'hello|A:cab|more|A:';
    const start = caches.start(next, merging(next));
    expect(decode(start.tokens.slice(start.kept))).toBe('|more|A:');
    expect(start.tokens).toHaveLength('hello|A:cab|more|A:'.length);
    caches.remember(cache, { tokens: [...start.tokens, ...encode('yes')], output: 'yes' });
    const last = `${next}yes|and|A:`;
    const again = caches.start(last, merging(last));
    expect(decode(again.tokens.slice(again.kept))).toBe('|and|A:');
  });

  test('is tokenized again if the next text forms one token with its end', () => {
    const caches = openMerging();
    const { cache, tokens } = caches.start('say', merging('say'));
    caches.remember(cache, { tokens: [...tokens, ...encode('ca')], output: 'ca' });
    const start = caches.start('saycabd', merging('saycabd'));
    expect(start.tokens).toEqual(merging('saycabd'));
    expect(start.kept).toBe('sayc'.length);
  });

  test('is tokenized again if the context has no room for it', () => {
    const next = 'hello|A:cab|more|A:';
    const caches = openMerging(merging(next).length);
    const { cache, tokens } = caches.start('hello|A:', merging('hello|A:'));
    caches.remember(cache, { tokens: [...tokens, ...written], output: 'cab' });
    expect(caches.start(next, merging(next)).tokens).toEqual(merging(next));
  });
});

describe('nothing is kept', () => {
  test('beyond what was kept of it, from the start of a prefill on', () => {
    const caches = open(1);
    answer(caches, 'be nice|secret|A:', 'sss');
    caches.start('be nice|other|A:', encode('be nice|other|A:'));
    expect(caches.isWarm('be nice|secret|A:sss|more')).toBe(false);
    // The prefill failed half-way, so only the kept tokens count.
    expect(answer(caches, 'be nice|other|A:', '')).toEqual([0, 'other|A:']);
  });

  test('of what was forgotten', () => {
    const caches = open();
    answer(caches, 'hello|A:', 'hi');
    caches.forget(0);
    expect(caches.isWarm('hello|A:hi|')).toBe(false);
    expect(answer(caches, 'hello|A:hi|more|A:', '')).toEqual([0, 'hello|A:hi|more|A:']);
  });

  test('by caches that are removed: the least recently used ones', () => {
    const caches = open(3);
    for (const name of ['one', 'two', 'six']) answer(caches, `${name}|A:`, name);
    answer(caches, 'one|A:one|more|A:', '1');
    expect(caches.limit(1)).toEqual([1, 2]);
    expect(caches.isWarm('two|A:two|')).toBe(false);
    expect(answer(caches, 'one|A:one|more|A:1|more|A:', '')).toEqual([0, '|more|A:']);
    expect(answer(caches, 'two|A:', '')).toEqual([0, 'two|A:']);
  });
});

describe('where caches can be copied, a new conversation', () => {
  const system = 'be nice and answer every question in full|';

  test('copies the cache of one that begins like it', () => {
    const caches = open(3, 1000, true);
    answer(caches, `${system}one|A:`, '1');
    const prompt = `${system}two|A:`;
    const start = caches.start(prompt, encode(prompt));
    expect(start).toMatchObject({ cache: 1, copyOf: 0, kept: system.length });
    caches.remember(1, { tokens: [...encode(prompt), ...encode('2')], output: '2' });
    expect(answer(caches, `${system}one|A:1|more|A:`, '3')).toEqual([0, '|more|A:']);
    expect(answer(caches, `${system}two|A:2|more|A:`, '4')).toEqual([1, '|more|A:']);
  });

  test('does not copy for the sake of a few tokens', () => {
    const caches = open(3, 1000, true);
    answer(caches, 'be nice|one|A:', '1');
    const start = caches.start('be nice|two|A:', encode('be nice|two|A:'));
    expect(start).toMatchObject({ cache: 1, kept: 0 });
    expect(start.copyOf).toBeUndefined();
  });

  test('takes the least recently used cache as it is if that begins like it, too', () => {
    const caches = open(2, 1000, true);
    answer(caches, `${system}one|A:`, '1');
    answer(caches, 'other|A:', '2');
    const prompt = `${system}two|A:`;
    const start = caches.start(prompt, encode(prompt));
    expect(start).toMatchObject({ cache: 0, kept: system.length });
    expect(start.copyOf).toBeUndefined();
  });
});

test('a prompt is warm if a cache holds most of it', () => {
  const caches = open();
  answer(caches, 'hello|A:', 'hi');
  expect(caches.isWarm('hello|A:hi|more|A:')).toBe(true);
  expect(caches.isWarm('hello|A:, and very much more than that')).toBe(false);
  expect(caches.isWarm('other')).toBe(false);
});

test('a cache never counts as holding more than it holds', () => {
  const piece = fc.constantFrom('a', 'b', 'ab|', 'ba|', 'aab', 'a long beginning of many tokens|');
  const turn = fc.record({
    history: fc.nat(3),
    added: fc.array(piece, { minLength: 1, maxLength: 4 }),
    output: fc.array(piece, { maxLength: 3 }),
    end: fc.constantFrom('stop', 'cut', 'broken'),
  });
  fc.assert(
    fc.property(
      fc.array(turn, { maxLength: 30 }),
      fc.integer({ min: 1, max: 3 }),
      fc.boolean(),
      (turns, count, canCopy) => {
        const caches = open(count, 1000, canCopy);
        const held: number[][] = [];
        const histories = ['', '', '', ''];
        for (const { history, added, output, end } of turns) {
          const prompt = `${histories[history]}${added.join('')}`;
          const { cache, tokens, kept, copyOf } = caches.start(prompt, encode(prompt));
          expect(cache).toBeLessThan(count);
          if (copyOf !== undefined) held[cache] = held[copyOf] ?? [];
          expect(decode(tokens)).toBe(prompt);
          expect(kept).toBeLessThan(tokens.length);
          expect((held[cache] ?? []).slice(0, kept)).toEqual(tokens.slice(0, kept));
          const text = output.join('');
          const all = [...tokens, ...encode(text)];
          held[cache] = end === 'cut' ? all.slice(0, -1) : all;
          if (end === 'broken') held[cache] = [];
          if (end === 'broken') caches.forget(cache);
          else
            caches.remember(cache, {
              tokens: held[cache],
              output: end === 'stop' ? text : undefined,
            });
          histories[history] = prompt + text;
        }
      },
    ),
  );
});
