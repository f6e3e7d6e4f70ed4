import { describe, expect, test } from 'vitest';
import { EventQueue } from '../../../../src/core/async/event-queue.ts';

async function all<T>(queue: EventQueue<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of queue) items.push(item);
  return items;
}

describe('a queue of events', () => {
  test('gives items that were pushed earlier, in order', async () => {
    const queue = new EventQueue<number>();
    queue.push(1);
    queue.push(2);
    queue.end();
    expect(await all(queue)).toEqual([1, 2]);
  });

  test('wakes a waiting consumer', async () => {
    const queue = new EventQueue<number>();
    const items = all(queue);
    queue.push(1);
    await Promise.resolve();
    queue.push(2);
    queue.end();
    expect(await items).toEqual([1, 2]);
  });

  test('that fails gives earlier items first', async () => {
    const queue = new EventQueue<number>();
    queue.push(1);
    queue.fail(new Error('broken'));
    expect(await queue.next()).toEqual({ value: 1, done: false });
    await expect(queue.next()).rejects.toThrow('broken');
  });

  test('that fails wakes a waiting consumer', async () => {
    const queue = new EventQueue<number>();
    const next = queue.next();
    queue.fail(new Error('broken'));
    await expect(next).rejects.toThrow('broken');
  });

  test('ignores events and failures after its end', async () => {
    const queue = new EventQueue<number>();
    queue.push(1);
    queue.end();
    queue.push(2);
    queue.fail(new Error('too late'));
    expect(await all(queue)).toEqual([1]);
    expect(await queue.next()).toEqual({ value: undefined, done: true });
  });

  test('keeps its first failure', async () => {
    const queue = new EventQueue<number>();
    queue.fail(new Error('first'));
    queue.fail(new Error('second'));
    await expect(queue.next()).rejects.toThrow('first');
  });
});
