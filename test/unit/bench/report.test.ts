import { expect, test } from 'vitest';
import { counted, figuresOf, measured } from '../../../bench/figures.ts';
import { parseReport, reportOf } from '../../../bench/report-json.ts';
import { reportTable } from '../../../bench/report-table.ts';

const launchesOf = (key: string, values: number[]) => values.map((value) => measured(key, value));

const FIGURES = figuresOf([
  ...launchesOf('reload.tiny.ratio', [1.1, 1.2, 1.234567, 1.3, 1.4, 1.5]),
  ...launchesOf('chat.tiny.decode_ratio', [0.98, 0.99]),
  counted('size.sw_gzip_kb', 20, 'compressed'),
]);

test('the table has a line for each figure, and a missed goal is easy to see', () => {
  const [titles, ...lines] = reportTable(FIGURES).trimEnd().split('\n');
  expect(titles).toMatch(/^figure +median +quartiles +95 % interval +launches +goal +verdict$/);
  expect(lines).toHaveLength(3);
  expect(lines[0]).toMatch(/^reload.tiny.ratio +1.267 +1.209 … 1.375 +1.1 … 1.5 +6 +≤ 1 +MISSED$/);
  expect(lines[1]).toMatch(
    /^chat.tiny.decode_ratio +0.985 +\S+ … \S+ +2 +≥ 0.97 +too few launches$/,
  );
  expect(lines[2]).toMatch(/^size.sw_gzip_kb +20 +20 … 20 +20 … 20 +1 +≤ 40 +held +compressed$/);
});

test('in JSON the dots of a key are nesting', () => {
  expect(reportOf(FIGURES)).toEqual({
    reload: {
      tiny: {
        ratio: {
          median: 1.26728,
          quartiles: [1.20864, 1.375],
          interval: [1.1, 1.5],
          launches: 6,
          goal: { atMost: 1 },
          verdict: 'missed',
        },
      },
    },
    chat: {
      tiny: {
        decode_ratio: {
          median: 0.985,
          quartiles: [0.9825, 0.9875],
          launches: 2,
          goal: { atLeast: 0.97 },
          verdict: 'too few launches',
        },
      },
    },
    size: {
      sw_gzip_kb: {
        median: 20,
        quartiles: [20, 20],
        interval: [20, 20],
        launches: 1,
        goal: { atMost: 40 },
        verdict: 'held',
      },
    },
  });
});

test('a report is read back from the last line that npm and the bench have printed', () => {
  const printed = `\n> slashv1@0.1.0 bench\n> node bench.ts\n\n${JSON.stringify(reportOf(FIGURES))}\n`;
  expect([...parseReport(printed)]).toEqual([
    ['reload.tiny.ratio', { median: 1.26728, interval: [1.1, 1.5], launches: 6 }],
    ['chat.tiny.decode_ratio', { median: 0.985, launches: 2 }],
    ['size.sw_gzip_kb', { median: 20, interval: [20, 20], launches: 1 }],
  ]);
});

test.each(['', 'bench: not measured', '[1]', '{"chat":{"tiny":{"decode_ratio":0.98}}}'])(
  'what is not a report is refused: %j',
  (text) => {
    expect(() => parseReport(text)).toThrow('It does not end with a report');
  },
);
