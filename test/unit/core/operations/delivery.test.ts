import { expect, test } from 'vitest';
import { deliveryOf } from '../../../../src/core/operations/delivered-answer.ts';
import { SingleDelivery } from '../../../../src/core/operations/delivery.ts';

test('other jobs than generations can be repeated only before their first event', () => {
  const job = { op: 'watch' } as const;
  const progress = { model: 'm', stage: 'ready' as const, loadedBytes: 0, totalBytes: 0, text: '' };
  const event = { type: 'progress' as const, progress };
  const delivery = new SingleDelivery<'watch'>(job);
  expect(delivery.isRepeatable).toBe(true);
  expect(delivery.restart()).toBe(job);
  expect(delivery.take(event)).toBe(event);
  expect(delivery.isRepeatable).toBe(false);
  expect(delivery.length).toBe(1);
});

test('of texts to embed, the next engine gets only those that are left', () => {
  const delivery = deliveryOf<'embed'>({ op: 'embed', model: 'm', texts: ['a', 'b', 'c'] });
  expect(delivery.restart()).toMatchObject({ texts: ['a', 'b', 'c'], places: [0, 1, 2] });
  const values = new Float32Array(2);
  const event = { type: 'vectors' as const, places: [2, 0], values, tokens: 2 };
  expect(delivery.take(event)).toBe(event);
  expect(delivery).toMatchObject({ isRepeatable: true, length: 2 });
  expect(delivery.restart(true)).toMatchObject({ texts: ['b'], places: [1], automatic: true });
});

test('of documents to rank, the next engine gets only those that are left', () => {
  const job = { op: 'rerank' as const, model: 'm', query: 'q', documents: ['a', 'b'] };
  const delivery = deliveryOf<'rerank'>(job);
  delivery.take({ type: 'scores', places: [0], scores: [1], tokens: 2 });
  expect(delivery.restart()).toMatchObject({ query: 'q', documents: ['b'], places: [1] });
});
