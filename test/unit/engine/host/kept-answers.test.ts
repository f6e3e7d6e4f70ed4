import { describe, expect, test } from 'vitest';
import type { MemoryJob } from '../../../../src/core/operations/jobs/jobs.ts';
import { KeptAnswers } from '../../../../src/engine/host/kept-answers.ts';

const MEGABYTE = 1024 * 1024;

/** A memory, and what its mirror holds. */
function memory(kept = new Map<string, object>()) {
  const answers = new KeptAnswers(structuredClone(kept), (key, value) => {
    if (value) kept.set(key, value);
    else kept.delete(key);
  });
  const exchange = async (job: Omit<MemoryJob, 'op'>) =>
    answers.answer({ op: 'memory', ...job }).values;
  const remember = (client: string, id: string, bytes = 1) =>
    exchange({
      client,
      remember: {
        id,
        bytes,
        values: new Map<string, unknown>([
          [id, `answer ${id}`],
          [`part of ${id}`, 7],
        ]),
      },
    });
  const recall = (client: string, ...ids: string[]) => exchange({ client, recall: ids });
  return { exchange, remember, recall, kept };
}

describe('the memory of answers', () => {
  test('finds an answer and its parts by their ids', async () => {
    const { remember, recall } = memory();
    await remember('a', 'one');
    expect(await recall('a', 'part of one', 'two', 'one')).toEqual([7, undefined, 'answer one']);
  });

  test('shows a client nothing of the others', async () => {
    const { exchange, remember, recall } = memory();
    await remember('a', 'one');
    await exchange({ client: 'b', forget: ['one'] });
    expect(await recall('b', 'one')).toEqual([undefined]);
    expect(await recall('a', 'one')).toEqual(['answer one']);
  });

  test('forgets what it is told to', async () => {
    const { exchange, remember, recall, kept } = memory();
    await remember('a', 'one');
    await exchange({ client: 'a', forget: ['one', 'two'] });
    expect(await recall('a', 'one', 'part of one')).toEqual([undefined, undefined]);
    expect(kept.size).toBe(0);
  });

  test('keeps the newest 256 answers of each client', async () => {
    const { remember, recall, kept } = memory();
    await remember('b', 'other');
    for (let n = 0; n < 260; n++) await remember('a', `answer ${n}`);
    expect(await recall('a', 'answer 3', 'answer 4')).toEqual([undefined, 'answer answer 4']);
    expect(await recall('b', 'other')).toEqual(['answer other']);
    expect(kept.size).toBe(257);
  });

  test('keeps 16 MB of each client', async () => {
    const { remember, recall } = memory();
    await remember('b', 'other', 10 * MEGABYTE);
    for (const id of ['one', 'two', 'three']) await remember('a', id, 7 * MEGABYTE);
    expect(await recall('a', 'one', 'two', 'three')).toEqual([
      undefined,
      'answer two',
      'answer three',
    ]);
    await remember('a', 'too large', 17 * MEGABYTE);
    expect(await recall('a', 'two', 'three', 'too large')).toEqual([
      'answer two',
      'answer three',
      undefined,
    ]);
    expect(await recall('b', 'other')).toEqual(['answer other']);
  });

  test('keeps 64 MB of all clients together', async () => {
    const { remember, recall } = memory();
    const clients = ['a', 'b', 'c', 'd', 'e'];
    for (const client of clients) await remember(client, 'one', 15 * MEGABYTE);
    const found = await Promise.all(clients.map((client) => recall(client, 'one')));
    expect(found.map(([value]) => value !== undefined)).toEqual([false, true, true, true, true]);
  });

  test('of a replaced worker goes to the next one', async () => {
    const first = memory();
    await first.remember('a', 'one');
    await first.remember('a', 'two');
    const second = memory(first.kept);
    expect(await second.recall('a', 'one', 'two')).toEqual(['answer one', 'answer two']);
    await second.exchange({ client: 'a', forget: ['one'] });
    expect([...second.kept.keys()]).toEqual(['a two']);
  });

  test('does not trust what another build has kept', async () => {
    const { recall, remember } = memory(new Map([['a one', { odd: true }]]));
    expect(await recall('a', 'one')).toEqual([undefined]);
    await remember('a', 'two');
    expect(await recall('a', 'two')).toEqual(['answer two']);
  });
});
