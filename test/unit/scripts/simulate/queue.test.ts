import { expect, test, vi } from 'vitest';
import { chanceToWait, meanWait } from '../../../../scripts/simulate/erlang.ts';
import { simulateQueue, type Phase, type Queue } from '../../../../scripts/simulate/queue.ts';
import { seededRandom } from '../../../../scripts/seeded-random.ts';

// Hundreds of thousands of requests take seconds on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

/** Requests that take a mean of one second, in an exponential distribution. */
function exponential(random: () => number) {
  return () => -Math.log(1 - random());
}

function queue(seed: number, given: Partial<Phase>[], changed: Partial<Queue> = {}): Queue {
  const random = seededRandom(seed);
  const serviceSeconds = exponential(random);
  const phases = given.map((phase) => ({
    lasts: 100,
    rate: 3,
    replicas: 2,
    serviceSeconds,
    ...phase,
  }));
  return { phases, slots: 2, random, ...changed };
}

test.each([
  [1, 0.5],
  [4, 3.2],
  [8, 6],
])('with %d servers and a load of %d, requests wait as by Erlang’s formula', (servers, rate) => {
  const random = seededRandom(7);
  const { phases } = simulateQueue({
    phases: [
      { lasts: 300_000 / rate, rate, replicas: servers, serviceSeconds: exponential(random) },
    ],
    slots: 1,
    random,
  });
  const waits = phases[0]?.waits ?? [];
  const waited = waits.filter((seconds) => seconds > 0).length / waits.length;
  const mean = waits.reduce((sum, seconds) => sum + seconds, 0) / waits.length;
  expect(waited / chanceToWait(rate, servers)).toBeCloseTo(1, 1);
  expect(mean / meanWait(rate, servers, 1)).toBeGreaterThan(0.95);
  expect(mean / meanWait(rate, servers, 1)).toBeLessThan(1.05);
});

test('Erlang’s formula gives the values of the textbooks', () => {
  // One server: the load itself. Two servers: 2a² / (2 (2 − a) (1 + a + a² / (2 − a))).
  expect(chanceToWait(0.3, 1)).toBeCloseTo(0.3, 12);
  expect(chanceToWait(1, 2)).toBeCloseTo(1 / 3, 12);
  expect(chanceToWait(5, 5)).toBe(1);
  expect(meanWait(6, 5, 1)).toBe(Number.POSITIVE_INFINITY);
});

test.each(Array.from({ length: 20 }, (_, seed) => seed))(
  'every request is answered, served, waiting, broken or refused (seed %d)',
  (seed) => {
    const random = seededRandom(seed);
    const phases = Array.from({ length: 5 }, () => ({
      lasts: 20 * random(),
      rate: 20 * random(),
      replicas: Math.floor(4 * random()),
    }));
    const maxWaiting = seed % 2 === 0 ? Math.floor(9 * random()) : undefined;
    const { counts, phases: outcomes } = simulateQueue(queue(seed, phases, { maxWaiting }));
    const { arrived, answered, running, waiting, broken, refused } = counts;
    expect(answered + running + waiting + broken + refused).toBe(arrived);
    const begun = outcomes.reduce((sum, { waits }) => sum + waits.length, 0);
    expect(answered + running + broken).toBe(begun);
    expect(Math.min(...Object.values(counts), ...outcomes.flatMap(({ waits }) => waits))).toBe(0);
  },
);

test('what a dead replica served is broken, and nothing of another one', () => {
  const serviceSeconds = () => 1000;
  const { counts, phases } = simulateQueue(
    queue(1, [
      { rate: 100, serviceSeconds, lasts: 10 },
      { rate: 0, replicas: 1 },
    ]),
  );
  expect(phases.map(({ broken }) => broken)).toEqual([0, 2]);
  expect(counts).toMatchObject({ answered: 0, running: 2, broken: 2 });
  expect(counts.waiting).toBe(counts.arrived - 4);
});

test('while all replicas are dead all wait, and then the first are served first', () => {
  const serviceSeconds = () => 1e-6;
  const { counts, phases } = simulateQueue(
    queue(3, [
      { rate: 10, replicas: 0, serviceSeconds },
      { rate: 0, replicas: 1, endsEmpty: true },
    ]),
  );
  const [down, up] = phases;
  expect(counts.waiting).toBe(0);
  expect(down?.waits).toHaveLength(counts.arrived);
  expect(down?.waits).toEqual(down?.waits.toSorted((a, b) => b - a));
  expect(down?.longestQueue).toBeLessThanOrEqual(counts.arrived);
  expect(up?.emptyAfter).toBeGreaterThan(0);
});

test('requests that find too many waiting are refused', () => {
  const full = queue(5, [{ rate: 50 }], { maxWaiting: 3 });
  const { counts, phases } = simulateQueue(full);
  expect(counts.refused).toBeGreaterThan(0);
  expect(phases[0]?.longestQueue).toBe(3);
});

test('the seed alone decides what happens', () => {
  const outcome = (seed: number) => simulateQueue(queue(seed, [{}, { replicas: 1 }]));
  expect(outcome(1)).toEqual(outcome(1));
  expect(outcome(1)).not.toEqual(outcome(2));
});
