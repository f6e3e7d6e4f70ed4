import { expect, test, vi } from 'vitest';
import { Unread } from '../../../../src/core/errors/errors.ts';
import { JobReader } from '../../../../src/core/port/job-reader.ts';
import type { Take } from '../../../../src/core/port/engine.ts';
import { NEVER } from '../../support/never.ts';

function reading(take: Take<number>, mostUnread = Infinity) {
  const onStop = vi.fn<(error: unknown) => void>();
  const reader = new JobReader<number>({ take, mostUnread, signal: NEVER, onStop });
  return { reader, onStop };
}

test('events are read at once, without a promise for each', () => {
  const read: number[] = [];
  const { reader } = reading((event) => void read.push(event));
  reader.push(1);
  expect(read).toEqual([1]);
  reader.push(2);
  expect(read).toEqual([1, 2]);
});

test('events wait for a busy reader, and the end of the job waits for the events', async () => {
  const log: string[] = [];
  const gates = [1, 2].map(() => Promise.withResolvers<void>());
  const { reader } = reading((event) => {
    log.push(`reads ${event}`);
    return gates[event - 1]?.promise;
  });
  reader.push(1);
  reader.push(2);
  reader.end();
  const done = reader.done.then(() => log.push('done'));
  expect(log).toEqual(['reads 1']);
  gates[0]?.resolve();
  await vi.waitFor(() => expect(log).toEqual(['reads 1', 'reads 2']));
  gates[1]?.resolve();
  await done;
  expect(log).toEqual(['reads 1', 'reads 2', 'done']);
});

test('a failure comes after the events before it', async () => {
  const read: number[] = [];
  const gate = Promise.withResolvers<void>();
  const { reader } = reading(async (event) => {
    await gate.promise;
    read.push(event);
  });
  reader.push(1);
  reader.push(2);
  reader.fail(new Error('lost'));
  gate.resolve();
  await expect(reader.done).rejects.toThrow('lost');
  expect(read).toEqual([1, 2]);
});

test.each([
  ['at once', () => expect.fail('enough')],
  ['later', () => Promise.reject(new Error('enough'))],
])('a reader that throws %s stops the job, and reads nothing more', async (_, refuse) => {
  const read: number[] = [];
  const { reader, onStop } = reading((event) => {
    read.push(event);
    return refuse();
  });
  reader.push(1);
  reader.push(2);
  await expect(reader.done).rejects.toThrow('enough');
  expect(onStop).toHaveBeenCalledOnce();
  reader.push(3);
  expect(read).toEqual([1]);
});

test('if too many events wait, the job is stopped, and those that wait are read first', async () => {
  const read: number[] = [];
  const gate = Promise.withResolvers<void>();
  const { reader, onStop } = reading(async (event) => {
    await gate.promise;
    read.push(event);
  }, 2);
  reader.push(1);
  reader.push(2);
  expect(onStop).not.toHaveBeenCalled();
  reader.push(3);
  expect(onStop).toHaveBeenCalledWith(expect.any(Unread));
  reader.push(4);
  gate.resolve();
  await expect(reader.done).rejects.toThrow(Unread);
  expect(read).toEqual([1, 2, 3]);
});
