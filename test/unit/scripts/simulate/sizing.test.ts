import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { planOptions } from '../../../../scripts/simulate/options.ts';
import { faultsTable, sizesTable } from '../../../../scripts/simulate/report.ts';
import { sizeOf, type Plan } from '../../../../scripts/simulate/sizing.ts';
import {
  clusterRequests,
  demandOf,
  recordedLengths,
  serviceSeconds,
} from '../../../../scripts/simulate/workload.ts';
import { seededRandom } from '../../../../scripts/seeded-random.ts';
import { ROOT } from '../../../../scripts/stamp.ts';

// Millions of requests take seconds on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

function planOf(...args: string[]): Plan {
  return { ...planOptions(args), recorded: recordedLengths() };
}

test('the recorded lengths are whole, and like those of the published trace', () => {
  const recorded = recordedLengths();
  expect(recorded).toHaveLength(150);
  for (const { prompt, answer } of recorded) {
    expect(Number.isInteger(prompt) && Number.isInteger(answer)).toBe(true);
    expect(Math.min(prompt, answer)).toBeGreaterThan(0);
  }
});

test('devices take their share of what fits them, and the rest is longer', () => {
  const { recorded, site } = planOf('--device-share', '0.5', '--device-context', '1000');
  const fitting = recorded.filter(({ prompt, answer }) => prompt + answer <= 1000);
  const { rate, share, mean } = demandOf(recorded, site);
  expect(share).toBeCloseTo(1 - fitting.length / recorded.length / 2, 12);
  expect(rate).toBeCloseTo(((1e6 * 5 * 0.1) / 3600) * share, 9);
  const everything = demandOf(recorded, { ...site, deviceShare: 0 });
  expect(everything.share).toBe(1);
  expect(mean.prompt).toBeGreaterThan(everything.mean.prompt);
});

test('the drawn requests have the lengths that the formula expects', () => {
  const { recorded, site } = planOf('--device-share', '0.7');
  const draw = clusterRequests(recorded, site, seededRandom(1));
  const drawn = Array.from({ length: 50_000 }, draw);
  const mean = drawn.reduce((sum, { prompt }) => sum + prompt, 0) / drawn.length;
  expect(mean / demandOf(recorded, site).mean.prompt).toBeCloseTo(1, 1);
});

test('a request takes its turns at reading, and its steps', () => {
  const replica = { slots: 10, prefill: 1000, step: 0.02, price: 1 };
  expect(serviceSeconds({ prompt: 100, answer: 50 }, replica)).toBeCloseTo(2, 12);
});

test('devices that answer everything leave one replica and the spare one', () => {
  const all = planOf('--device-share', '1', '--device-context', '1000000');
  expect(sizeOf({ ...all, site: { ...all.site, visitors: 1 } })).toMatchObject({ replicas: 2 });
});

test.each([
  [['--visitors', '0'], '--visitors 0: it must be a number, above 0.'],
  [['--device-share', '1.5'], '--device-share 1.5: it must be a number, at least 0 and at most 1.'],
  [['--slots', '2.5'], '--slots 2.5: it must be a whole number, above 0.'],
  [['--price', 'x'], '--price x: it must be a number, at least 0.'],
  [['--prize', '1'], "Unknown option '--prize'"],
])('%j is refused', (args, message) => {
  expect(() => planOptions(args)).toThrow(message);
});

test('docs/scale.md shows what the command prints', () => {
  const plan = planOf();
  const page = readFileSync(join(ROOT, 'docs/scale.md'), 'utf8');
  expect(page).toContain(`${sizesTable(plan)}\n${faultsTable(plan)}`);
});
