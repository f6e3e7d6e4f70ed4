import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type {
  GenerateEvent,
  TokenLogprob,
} from '../../../../../src/core/operations/events/events.ts';
import { OutputParser } from '../../../../../src/engine/conversation/answer/output-parser.ts';
import { TokenAligner } from '../../../../../src/engine/conversation/answer/token-aligner.ts';
import { Vocabulary } from '../../../../../src/engine/conversation/answer/vocabulary.ts';

const MARKS = { open: '<think>', close: '</think>' };
const encoder = new TextEncoder();

/** GPT-2's characters for bytes. */
function byteText(bytes: Uint8Array): string {
  let next = 0x100;
  const characters = Array.from({ length: 0x100 }, (_, byte) => {
    const isVisible = (byte > 0x20 && byte < 0x7f) || (byte > 0xa0 && byte !== 0xad);
    return String.fromCodePoint(isVisible ? byte : next++);
  });
  return Array.from(bytes, (byte) => characters[byte] ?? '').join('');
}

/** The events of an output that consists of these tokens, from all the engine's parts together. */
function answer(tokens: Uint8Array[], stop: string[] = [], thinks = false): GenerateEvent[] {
  const vocab = Object.fromEntries(tokens.map((bytes, id) => [byteText(bytes), id]));
  const ids = tokens.map((bytes) => vocab[byteText(bytes)] ?? 0);
  const aligner = new TokenAligner(
    new Vocabulary({ model: { vocab }, decoder: { type: 'ByteLevel' } }),
  );
  const parser = new OutputParser({ stop, ...(thinks && { marks: MARKS }) });
  const events: GenerateEvent[] = [];
  const decoder = new TextDecoder();
  ids.forEach((id, index) => {
    if (parser.stopped) return;
    aligner.push([{ id, logprob: -index, top: [] }]);
    const text = decoder.decode(tokens[index], { stream: true });
    if (text !== '') events.push(...aligner.align(parser.push(text)));
  });
  return [...events, ...aligner.align(parser.flush(false)), ...aligner.finish()];
}

const tokens = (...texts: string[]) => texts.map((text) => encoder.encode(text));

function listed(events: GenerateEvent[]): { text: string; logprobs: TokenLogprob[] } {
  const texts = events.filter((event) => event.type === 'text');
  return {
    text: texts.map(({ text }) => text).join(''),
    logprobs: texts.flatMap(({ logprobs }) => logprobs ?? []),
  };
}

const spelled = (events: GenerateEvent[]) => listed(events).logprobs.map(({ token }) => token);

describe('tokens and their text', () => {
  test('are listed with the event that contains their text', () => {
    const events = answer(tokens('Hel', 'lo', ' you'));
    expect(events).toMatchObject([
      { text: 'Hel', logprobs: [{ token: 'Hel', bytes: [72, 101, 108], logprob: -0 }] },
      { text: 'lo', logprobs: [{ token: 'lo', logprob: -1 }] },
      { text: ' you', logprobs: [{ token: ' you', logprob: -2 }] },
    ]);
  });

  test('that are parts of a character are listed with the whole character', () => {
    const [bear] = tokens('🐻');
    const halves = [bear?.slice(0, 2), bear?.slice(2)].filter((half) => half !== undefined);
    const events = answer([...tokens('a'), ...halves]);
    expect(events.at(-1)).toMatchObject({
      text: '🐻',
      logprobs: [{ bytes: [0xf0, 0x9f] }, { bytes: [0x90, 0xbb] }],
    });
  });

  test('are not listed for what a stop string removes, and are cut where it cuts them', () => {
    expect(spelled(answer(tokens('one', ' E', 'N', 'D', ' two'), ['END']))).toEqual(['one', ' ']);
    expect(spelled(answer(tokens('one', ' xE', 'ND'), ['END']))).toEqual(['one', ' x']);
    expect(spelled(answer(tokens('one', ' E', 'N', '!'), ['END']))).toEqual([
      'one',
      ' E',
      'N',
      '!',
    ]);
  });

  test('of thinking, its marks and the space around them are not listed', () => {
    const thought = tokens('<think>', '\n', 'Hm', '\n</think>\n', '\n\nYes', '.');
    const events = answer(thought, [], true);
    expect(events).toMatchObject([
      { type: 'reasoning', text: 'Hm' },
      { type: 'text', text: 'Yes', logprobs: [{ token: 'Yes', logprob: -4 }] },
      { type: 'text', text: '.' },
    ]);
  });

  test('lack the first space if the text lacks it', () => {
    const vocabulary = new Vocabulary({
      model: { vocab: { '▁Hi': 0, '▁you': 1 } },
      decoder: { type: 'Sequence', decoders: [{ type: 'Strip' }] },
    });
    const aligner = new TokenAligner(vocabulary);
    aligner.push([0, 1].map((id) => ({ id, logprob: -1, top: [] })));
    expect(spelled(aligner.align([{ type: 'text', text: 'Hi you', end: 6 }]))).toEqual([
      'Hi',
      ' you',
    ]);
  });

  test('that the model considers impossible have a logprob that JSON can hold', () => {
    const aligner = new TokenAligner(new Vocabulary({ model: { vocab: { a: 0 } }, decoder: null }));
    aligner.push([{ id: 0, logprob: -Infinity, top: [[0, -Infinity]] }]);
    expect(aligner.align([{ type: 'text', text: 'a', end: 1 }])).toMatchObject([
      { logprobs: [{ logprob: -9999, top: [{ token: 'a', logprob: -9999 }] }] },
    ]);
  });
});

test('whatever the tokens, stop strings and thoughts: the listed bytes are the text’s', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      'a',
      ' ',
      '\n',
      'é',
      '🐻',
      'EN',
      'D',
      'x',
      '<think>',
      '</think>',
      '<thi',
      'nk>',
    ),
    fc.string({ unit: 'grapheme', maxLength: 3 }),
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 25 }),
      fc.array(fc.nat(6), { minLength: 1, maxLength: 20 }),
      fc.subarray(['END', 'a', 'x\n', 'é🐻']),
      fc.boolean(),
      (pieces, lengths, stop, thinks) => {
        const bytes = encoder.encode(pieces.join(''));
        const parts: Uint8Array[] = [];
        for (let at = 0, turn = 0; at < bytes.length; turn++) {
          const length = 1 + (lengths[turn % lengths.length] ?? 0);
          parts.push(bytes.slice(at, at + length));
          at += length;
        }
        const { text, logprobs } = listed(answer(parts, stop, thinks));
        const all = logprobs.flatMap((token) => token.bytes);
        expect(new TextDecoder().decode(Uint8Array.from(all))).toBe(text);
        // Each token once, in order.
        const order = logprobs.map(({ logprob }) => -logprob);
        expect(order).toEqual([...new Set(order)].sort((a, b) => a - b));
      },
    ),
    { numRuns: 1000 },
  );
});
