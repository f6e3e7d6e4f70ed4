import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { Vocabulary } from '../../../../../src/engine/conversation/answer/vocabulary.ts';

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

describe('byte-level tokens', () => {
  const file = {
    added_tokens: [{ id: 0, content: '<é>' }],
    model: { vocab: { '<é>': 0, Ġhi: 1, Ċ: 2, Ã: 3, '©': 4, Ń: 5, x: 6 } },
    decoder: { type: 'ByteLevel' },
  };
  const vocabulary = new Vocabulary(file);

  test('are bytes written as characters, including parts of characters', () => {
    const bytes = [1, 2, 3, 4, 5, 6].map((id) => [...vocabulary.bytes(id)]);
    expect(bytes).toEqual([[32, 104, 105], [10], [0xc3], [0xa9], [0xad], [0x78]]);
  });

  test('that were added are the text that they spell; an id without a token is empty', () => {
    expect(text(vocabulary.bytes(0))).toBe('<é>');
    expect([...vocabulary.bytes(99)]).toEqual([]);
    expect(vocabulary.stripsFirstSpace).toBe(false);
  });

  test('of tiny-chat cover every byte', () => {
    const path = new URL('../../../../../models/packs/tiny-chat/tokenizer.json', import.meta.url);
    const whole = new Vocabulary(JSON.parse(readFileSync(path, 'utf8')));
    const single = Array.from({ length: 1024 }, (_, id) => whole.bytes(id)).filter(
      ({ length }) => length === 1,
    );
    expect(new Set(single.map(([byte]) => byte)).size).toBe(256);
  });
});

test('SentencePiece writes spaces as U+2581, and bytes in brackets', () => {
  const vocabulary = new Vocabulary({
    model: { vocab: { '▁Hello▁you': 0, '<0x0A>': 1, '<0xE2>': 2, é: 3 } },
    decoder: { type: 'Sequence', decoders: [{ type: 'ByteFallback' }, { type: 'Strip' }] },
  });
  expect(text(vocabulary.bytes(0))).toBe(' Hello you');
  expect([1, 2, 3].map((id) => [...vocabulary.bytes(id)])).toEqual([[10], [0xe2], [0xc3, 0xa9]]);
  expect(vocabulary.stripsFirstSpace).toBe(true);
});

test('Unigram’s tokens have ids in their order', () => {
  const model = {
    vocab: [
      ['a', -1.5],
      ['b', -2],
    ],
  };
  expect(text(new Vocabulary({ model, decoder: null }).bytes(1))).toBe('b');
});

test('a model without tokenizer.json has no logprobs, and says so', async () => {
  await expect(Vocabulary.read(() => Promise.resolve(undefined))).rejects.toMatchObject({
    data: { status: 400, code: 'unsupported_value', param: 'logprobs' },
  });
});
