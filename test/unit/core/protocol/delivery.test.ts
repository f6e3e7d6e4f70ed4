import { expect, test } from 'vitest';
import { SingleDelivery } from '../../../../src/core/protocol/delivery.ts';

test('what is no generation can be repeated only before it has given anything', () => {
  const job = { op: 'watch' } as const;
  const delivery = new SingleDelivery(job);
  expect(delivery.isRepeatable).toBe(true);
  expect(delivery.restart()).toBe(job);
  expect(delivery.take({ type: 'start' })).toEqual({ type: 'start' });
  expect(delivery.isRepeatable).toBe(false);
  expect(delivery.length).toBe(1);
});
