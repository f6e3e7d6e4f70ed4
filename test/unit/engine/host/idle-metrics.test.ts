import { expect, test } from 'vitest';
import { Metrics } from '../../../../src/engine/host/metrics.ts';

test('it is idle when the last request has ended, however it ends', async () => {
  const metrics = new Metrics();
  await metrics.idle();
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const count = (until: Promise<void>) =>
    metrics.count({ job: { model: 'm' }, emit: () => undefined }, () => until);
  const counted = [count(first.promise), count(second.promise)];
  let isIdle = false;
  const idle = metrics.idle().then(() => (isIdle = true));
  first.resolve();
  await counted[0];
  expect(isIdle).toBe(false);
  second.reject(new Error('It failed.'));
  await expect(counted[1]).rejects.toThrow('It failed.');
  await idle;
  await metrics.idle();
});
