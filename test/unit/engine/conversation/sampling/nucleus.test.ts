import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keepNucleus } from '../../../../../src/engine/conversation/sampling/nucleus.ts';

const weight = fc.oneof(
  fc.float({ min: 0, max: 1, noNaN: true }),
  fc.constantFrom(0, 0.5, 0.25, 1, 1e-30),
);

test('what is kept is what a full sort would keep', () => {
  fc.assert(
    fc.property(
      fc.array(weight, { minLength: 1, maxLength: 80 }),
      fc.double({ min: 0.001, max: 0.999, noNaN: true }),
      (numbers, part) => {
        const weights = Float32Array.from([1, ...numbers]);
        const sum = part * weights.reduce((all, each) => all + each, 0);
        const sorted = [...weights.keys()].sort(
          (a, b) => (weights[b] ?? 0) - (weights[a] ?? 0) || a - b,
        );
        let reached = 0;
        const end = sorted.findIndex((token) => (reached += weights[token] ?? 0) >= sum);
        const expected = new Set(sorted.slice(0, end + 1));
        const kept = Float32Array.from(weights);
        expect(keepNucleus(kept, sum)).toBeCloseTo(reached, 4);
        const differing = [...kept.keys()].filter(
          (token) => (kept[token] ?? 0) > 0 !== (expected.has(token) && weights[token] !== 0),
        );
        // Sums are rounded in another order, which may matter for one token at the end.
        expect(differing.length).toBeLessThanOrEqual(1);
      },
    ),
  );
});
