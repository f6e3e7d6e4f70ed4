import { expect, test } from 'vitest';
import { counted, figuresOf, measured } from '../../../bench/figures.ts';

const launchesOf = (key: string, values: number[]) => values.map((value) => measured(key, value));

test('a figure is the median, the quartiles and the interval of its launches', () => {
  const readings = launchesOf('reload.tiny.ratio', [0.9, 0.8, 0.7, 0.6, 0.5, 0.4]);
  expect(figuresOf(readings)).toEqual([
    {
      key: 'reload.tiny.ratio',
      median: expect.closeTo(0.65),
      quartiles: [expect.closeTo(0.525), expect.closeTo(0.775)],
      interval: [0.4, 0.9],
      launches: 6,
      goal: { atMost: 1 },
      verdict: 'held',
    },
  ]);
});

test.each([
  [[1.01, 1.02, 1.03, 1.04, 1.05, 1.06], 'missed'],
  [[0.99, 1.02, 1.03, 1.04, 1.05, 1.06], 'undecided'],
  [[0.99, 0.99, 0.99, 0.99, 0.99], 'too few launches'],
])('launches of %j against "at most 1": %s', (values, verdict) => {
  expect(figuresOf(launchesOf('load.tiny.ratio', values))).toMatchObject([{ verdict }]);
});

test('a figure without a goal has no verdict', () => {
  const [figure] = figuresOf(launchesOf('chat.tiny.v1_ttft_ms', [1, 2, 3, 4, 5, 6]));
  expect(figure).toMatchObject({ median: 3.5, interval: [1, 6] });
  expect(figure).not.toHaveProperty('verdict');
});

test('one launch is enough for a count', () => {
  expect(figuresOf([counted('size.sw_gzip_kb', 20)])).toMatchObject([
    { median: 20, interval: [20, 20], launches: 1, verdict: 'held' },
  ]);
});

test('a count that misses its goal in one launch misses it', () => {
  const readings = [0.2, 0.2, 0.3].map((value) => counted('kv.tiny.prefill_ratio', value));
  expect(figuresOf(readings)).toMatchObject([{ interval: [0.2, 0.3], verdict: 'missed' }]);
});

test('figures keep the order of their first launch, and its note', () => {
  const readings = [measured('b', 1, 'first'), measured('a', 1), measured('b', 2, 'second')];
  expect(figuresOf(readings)).toMatchObject([
    { key: 'b', launches: 2, note: 'first' },
    { key: 'a' },
  ]);
});

test('what is not a number is not a reading', () => {
  expect(() => measured('chat.tiny.decode_ratio', 1 / 0)).toThrow(
    'chat.tiny.decode_ratio is Infinity, not a number.',
  );
});
