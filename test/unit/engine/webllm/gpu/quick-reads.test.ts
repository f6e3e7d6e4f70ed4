import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { quickenReads, type Adapter } from '../../../../../src/engine/webllm/gpu/quick-reads.ts';
import { FakeGpu } from '../../../support/fakes/fake-gpu.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** Firefox, which never looks by itself here. @returns a device, and the times at which it was given nothing to do */
async function openSlow() {
  const fake = new FakeGpu();
  fake.isSlowToTell = true;
  const asked: number[] = [];
  fake.onSubmit = (length) => void (length === 0 && asked.push(performance.now()));
  const adapter = await fake.gpu.requestAdapter();
  if (!adapter) throw new Error('There is no adapter.');
  const adapters: Adapter = { requestDevice: (...given) => adapter.requestDevice(...given) };
  return { fake, asked, adapters };
}

/** @returns whether the promise is settled */
function watch(promise: Promise<unknown>): () => boolean {
  const settled = vi.fn<() => void>();
  promise.then(settled, settled);
  return () => settled.mock.calls.length > 0;
}

const READ = 1;

test('a browser that is slow to tell says at once that a buffer can be read', async () => {
  const { adapters, asked } = await openSlow();
  const untouched = (await adapters.requestDevice()).createBuffer({ size: 4, usage: READ });
  const isReadLate = watch(untouched.mapAsync(READ));
  await vi.advanceTimersByTimeAsync(1000);
  expect(isReadLate()).toBe(false);
  quickenReads(adapters);
  const device = await adapters.requestDevice();
  const isRead = watch(device.createBuffer({ size: 4, usage: READ }).mapAsync(READ));
  const isDone = watch(device.queue.onSubmittedWorkDone());
  await vi.advanceTimersByTimeAsync(2);
  expect([isRead(), isDone()]).toEqual([true, true]);
  const { length } = asked;
  await vi.advanceTimersByTimeAsync(1000);
  expect(asked).toHaveLength(length);
});

test('while the GPU computes for long, it is asked ever less often, and no more when it is lost', async () => {
  const { fake, adapters, asked } = await openSlow();
  quickenReads(adapters);
  const { queue } = await adapters.requestDevice();
  fake.isComputing = true;
  const isDone = watch(queue.onSubmittedWorkDone());
  await vi.advanceTimersByTimeAsync(10_000);
  expect(isDone()).toBe(false);
  expect(asked.length).toBeLessThan(250);
  const gaps = asked.slice(1).map((time, index) => time - (asked[index] ?? 0));
  expect(Math.max(...gaps)).toBeLessThanOrEqual(50);
  fake.isComputing = false;
  fake.lose();
  await vi.advanceTimersByTimeAsync(50);
  expect(isDone()).toBe(true);
  const { length } = asked;
  await vi.advanceTimersByTimeAsync(1000);
  expect(asked).toHaveLength(length);
});
