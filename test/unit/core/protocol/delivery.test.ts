import { expect, test } from 'vitest';
import { SingleDelivery } from '../../../../src/core/protocol/delivery.ts';

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
