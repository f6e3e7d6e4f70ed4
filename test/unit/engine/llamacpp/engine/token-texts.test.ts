import { expect, test } from 'vitest';
import { TokenTexts } from '../../../../../src/engine/llamacpp/engine/token-texts.ts';

const encoder = new TextEncoder();

/** The texts of tokens 0, 1, …; numbers are bytes. */
function texts(pieces: readonly (string | number[])[], stripsFirstSpace = false): TokenTexts {
  const all = pieces.map((piece) =>
    typeof piece === 'string' ? encoder.encode(piece) : Uint8Array.from(piece),
  );
  let end = 0;
  const ends = Uint32Array.from(all, ({ length }) => (end += length));
  return new TokenTexts(
    { bytes: Uint8Array.from(all.flatMap((each) => [...each])), ends },
    stripsFirstSpace,
  );
}

test('tokens are one text, in which characters may be spread over several', () => {
  const tokens = texts(['n', [0xc3], [0xa9], '!']);
  expect(tokens.text([0, 1, 2, 3])).toBe('né!');
  expect(tokens.text([])).toBe('');
  expect([0, 1, 3].map((id) => tokens.piece(id))).toEqual(['n', '\uFFFD', '!']);
});

test('the space that the tokenizer adds before a text is dropped, once', () => {
  expect(texts([' hi', ' there'], true).text([0, 1])).toBe('hi there');
  expect(texts([' hi', ' there']).text([0, 1])).toBe(' hi there');
  expect(texts(['hi'], true).text([0])).toBe('hi');
});
