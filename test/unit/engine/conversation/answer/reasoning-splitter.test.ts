import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  ReasoningSplitter,
  type OutputPart,
} from '../../../../../src/engine/conversation/answer/reasoning-splitter.ts';

const MARKS = { open: '<think>', close: '</think>' };

/** Thinking and text of an output that comes in these pieces. */
function split(pieces: string[], opened = false): { reasoning: string; text: string } {
  const splitter = new ReasoningSplitter(MARKS, opened ? 'opened' : 'before');
  const parts = [...pieces.flatMap((piece) => splitter.push(piece)), ...splitter.flush()];
  const of = (type: OutputPart['type']) =>
    parts
      .filter((part) => part.type === type)
      .map(({ text }) => text)
      .join('');
  // Thinking never comes after text has begun.
  const types = parts.map(({ type }) => type);
  expect(types.lastIndexOf('reasoning')).toBeLessThan(
    types.includes('text') ? types.indexOf('text') : types.length,
  );
  return { reasoning: of('reasoning'), text: of('text') };
}

test.each([
  ['<think>\nHm.\n</think>\n\nYes.', false, 'Hm.', 'Yes.'],
  ['Hm.\n</think>\n\nYes.', true, 'Hm.', 'Yes.'],
  ['\nHm. <b>', true, 'Hm. <b>', ''],
  ['<think></think>Yes.', false, '', 'Yes.'],
  ['<think>a </think b', false, 'a </think b', ''],
  ['Yes.', false, '', 'Yes.'],
  ['It writes <think>so</think>.', false, '', 'It writes <think>so</think>.'],
  ['<think>a</think>b <think>c</think>', false, 'a', 'b <think>c</think>'],
  ['<thi', false, '', '<thi'],
  ['', false, '', ''],
])('%j, opened by the prompt: %s', (output, opened, reasoning, text) => {
  expect(split([output], opened)).toEqual({ reasoning, text });
});

test('it does not matter where the pieces are cut', () => {
  const output = fc
    .array(fc.constantFrom('<think>', '</think>', '<', '</', 'think>', ' ', '\n', 'a', 'é', '😀'))
    .map((tokens) => tokens.join(''));
  fc.assert(
    fc.property(
      output,
      fc.boolean(),
      fc.infiniteStream(fc.integer({ min: 1, max: 4 })),
      (whole, opened, sizes) => {
        const pieces: string[] = [];
        for (let at = 0; at < whole.length;) {
          const size = sizes.next().value ?? 1;
          pieces.push(whole.slice(at, at + size));
          at += size;
        }
        expect(split(pieces, opened)).toEqual(split([whole], opened));
      },
    ),
    { numRuns: 2_000 },
  );
});
