import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { StopFilter } from '../../../../src/core/text/stop-filter.ts';

/** The output for a text that arrives in these pieces. */
function filtered(pieces: string[], stops: string[]): string {
  const filter = new StopFilter(stops);
  return pieces.map((piece) => filter.push(piece)).join('') + filter.flush();
}

/** The definition: the text before the stop string that is complete first; if several are, before the longest. */
function cut(text: string, stops: string[]): string {
  for (let end = 1; end <= text.length; end++) {
    const starts = stops
      .filter((stop) => stop !== '' && text.slice(0, end).endsWith(stop))
      .map((stop) => end - stop.length);
    if (starts.length > 0) return text.slice(0, Math.min(...starts));
  }
  return text;
}

/** Few letters, so that stop strings are found, overlap and nearly happen. */
const letters = (maxLength: number) =>
  fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength });
const stopStrings = fc.array(letters(4), { maxLength: 3 });
const pieces = fc.array(letters(4), { maxLength: 12 });

describe('text with stop strings', () => {
  test('is cut at the first stop string, wherever its pieces are cut', () => {
    fc.assert(
      fc.property(pieces, stopStrings, (parts, stops) => {
        expect(filtered(parts, stops)).toBe(cut(parts.join(''), stops));
      }),
      { numRuns: 2_000 },
    );
  });

  test('is never emitted beyond what the whole text would give', () => {
    fc.assert(
      fc.property(pieces, stopStrings, (parts, stops) => {
        const whole = cut(parts.join(''), stops);
        const filter = new StopFilter(stops);
        let emitted = '';
        for (const part of parts) {
          emitted += filter.push(part);
          expect(whole.startsWith(emitted)).toBe(true);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test('is held back only while it may become a stop string', () => {
    const filter = new StopFilter(['</end>']);
    expect(filter.push('one <')).toBe('one ');
    expect(filter.push('/')).toBe('');
    expect(filter.push('p> two')).toBe('</p> two');
    expect(filter.flush()).toBe('');
  });

  test('ends with what was held back', () => {
    const filter = new StopFilter(['\nuser:']);
    expect(filter.push('Hi\nuse')).toBe('Hi');
    expect(filter.stopped).toBe(false);
    expect(filter.flush()).toBe('\nuse');
  });

  test('ends at the stop string: neither it nor anything after it is emitted', () => {
    const filter = new StopFilter(['END']);
    expect(filter.push('one EN')).toBe('one ');
    expect(filter.push('D two')).toBe('');
    expect(filter.stopped).toBe(true);
    expect(filter.push('three')).toBe('');
    expect(filter.flush()).toBe('');
  });

  test('is cut by the stop string that is complete first, however the tokens are cut', () => {
    const stops = ['abcde', 'cd'];
    expect(filtered(['abcdef'], stops)).toBe('ab');
    expect(filtered('abcdef'.split(''), stops)).toBe('ab');
  });
});

test('without stop strings, or with an empty one, text passes unchanged', () => {
  for (const stops of [[], ['']]) {
    const filter = new StopFilter(stops);
    expect(filter.push('any text')).toBe('any text');
    expect(filter.stopped).toBe(false);
  }
});
