import { expect, test } from 'vitest';
import { BatchCosts } from '../../../../../src/engine/llamacpp/worker/drafts/batch-costs.ts';

test('a further token of a batch costs what was measured, once that was often enough', () => {
  const costs = new BatchCosts();
  const usual = costs.share;
  for (let time = 0; time < 2; time++) costs.note(1, 10);
  for (let time = 0; time < 3; time++) costs.note(3, 12);
  expect(costs.share).toBe(usual);
  costs.note(3, 12);
  expect(costs.share).toBeCloseTo(0.1);
});

test('the first batch of a size is not measured: a GPU compiles its kernels for it', () => {
  const costs = new BatchCosts();
  for (const milliseconds of [5000, 10]) costs.note(1, milliseconds);
  for (const milliseconds of [5000, 12, 12, 12]) costs.note(2, milliseconds);
  for (const milliseconds of [5000, 14, 14, 14]) costs.note(3, milliseconds);
  expect(costs.share).toBeCloseTo(0.2);
});
