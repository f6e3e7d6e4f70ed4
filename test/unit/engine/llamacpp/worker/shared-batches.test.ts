import { describe, expect, test } from 'vitest';
import { SharedBatches } from '../../../../../src/engine/llamacpp/worker/batches/shared-batches.ts';
import { LlamaError } from '../../../../../src/engine/llamacpp/worker/llama-error.ts';
import type { Batch } from '../../../../../src/engine/llamacpp/worker/batches/batch.ts';
import { COSTS } from '../../../support/models/generating.ts';

/** Batches whose log says what was computed, in order: contexts of answers, or names of slices. */
function open(fails: (batches: readonly Batch[]) => Error | undefined = () => undefined) {
  const log: string[] = [];
  const decodeTogether = (batches: readonly Batch[]) => {
    const error = fails(batches);
    if (error) throw error;
    log.push(batches.map(({ context }) => context).join('+'));
    return true;
  };
  const batches = new SharedBatches({ decodeTogether }, COSTS);
  /** Writes an answer of some tokens. */
  const write = (context: number, tokens: number) =>
    batches.writing(async () => {
      for (let position = 0; position < tokens; position++) {
        await turn();
        await batches.compute({ context, tokens: [1], position });
      }
    });
  /** Reads a prompt of some slices. */
  const read = (name: string, slices: number) =>
    batches.reading(async ({ compute, makeWay }) => {
      for (let slice = 0; slice < slices; slice++) {
        await makeWay();
        await compute(() => void log.push(name));
        await turn();
      }
    });
  return { batches, log, write, read };
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('answers that are written at the same time', () => {
  test('get their tokens from one batch each time, until they end', async () => {
    const { log, write } = open();
    await Promise.all([write(0, 2), write(1, 4), write(2, 1)]);
    expect(log).toEqual(['0+1+2', '0+1', '1', '1']);
  });

  test('wait for one that begins or chooses its token', async () => {
    const { batches, log } = open();
    const choosing = Promise.withResolvers<void>();
    const slow = batches.writing(async () => {
      await choosing.promise;
      await batches.compute({ context: 1, tokens: [1], position: 0 });
    });
    const quick = batches.writing(() => batches.compute({ context: 0, tokens: [1], position: 0 }));
    await turn();
    expect(log).toEqual([]);
    choosing.resolve();
    await Promise.all([slow, quick]);
    expect(log).toEqual(['0+1']);
  });

  test('go on if one fails', async () => {
    const { batches, log, write } = open();
    const failing = batches.writing(() => Promise.reject(new Error('broken')));
    const [failed] = await Promise.allSettled([failing, write(0, 2)]);
    expect(failed).toMatchObject({ status: 'rejected' });
    expect(log).toEqual(['0', '0']);
    expect(batches.writers).toBe(0);
  });

  test('are computed one by one if llama.cpp cannot compute them together', async () => {
    const { log, write } = open((batches) =>
      batches.length > 1 ? new LlamaError('failed', 'One at once.') : undefined,
    );
    await Promise.all([write(0, 2), write(1, 2)]);
    expect(log).toEqual(['0', '1', '0', '1']);
  });

  test('all fail if llama.cpp is broken', async () => {
    const { write } = open(() => new LlamaError('broken', 'An assertion failed.'));
    const ends = await Promise.allSettled([write(0, 2), write(1, 2)]);
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});

describe('a prompt', () => {
  test('is read slice by slice if nothing is written', async () => {
    const { log, read } = open();
    await read('a', 3);
    expect(log).toEqual(['a', 'a', 'a']);
  });

  test('is read in slices between the batches of answers, which do not starve', async () => {
    const { log, read, write } = open();
    await Promise.all([write(0, 4), read('a', 20)]);
    expect(log.slice(0, 8).toSorted()).toEqual(['0', '0', '0', '0', 'a', 'a', 'a', 'a']);
    expect(log.filter((each) => each === 'a')).toHaveLength(20);
  });

  test('is read to its end before the next one, which may begin alike', async () => {
    const { log, read } = open();
    await Promise.all([read('a', 3), read('b', 2), read('c', 1)]);
    expect(log).toEqual(['a', 'a', 'a', 'b', 'b', 'c']);
  });

  test('that is long makes way for others', async () => {
    const { log, read } = open();
    await Promise.all([read('a', 20), read('b', 1), read('c', 10)]);
    expect(log.indexOf('b')).toBe(8);
    expect(log.lastIndexOf('c')).toBeLessThan(log.lastIndexOf('a'));
  });

  test('whose slice fails leaves the others alone', async () => {
    const { batches, log, read } = open();
    const failing = batches.reading(({ compute }) =>
      compute(() => Promise.reject(new Error('no'))),
    );
    const [failed] = await Promise.allSettled([failing, read('b', 1)]);
    expect(failed).toMatchObject({ status: 'rejected' });
    expect(log).toEqual(['b']);
  });
});
