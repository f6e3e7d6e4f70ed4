import { describe, expect, test } from 'vitest';
import { engineOf, withoutEvents, type Engine } from '../../../../src/core/port/engine.ts';
import { isEventOf, type ProgressEvent } from '../../../../src/core/operations/events/events.ts';
import type { Operation } from '../../../../src/core/operations/jobs/jobs.ts';
import { iterated } from '../../support/sinks.ts';
import { NEVER } from '../../support/never.ts';

describe('an engine of functions', () => {
  test('runs each job by the function of its operation', async () => {
    const engine = engineOf<'keep' | 'add'>({
      async *keep() {
        yield { type: 'kept' };
      },
      async *add({ source }) {
        yield { type: 'added', model: source ?? '' };
      },
    });
    const added = await Array.fromAsync(iterated(engine).run({ op: 'add', source: 'm' }, NEVER));
    expect(added).toEqual([{ type: 'added', model: 'm' }]);
    const kept = await Array.fromAsync(iterated(engine).run({ op: 'keep', model: 'm' }, NEVER));
    expect(kept).toEqual([{ type: 'kept' }]);
  });

  test.each(['teleport', 'constructor', 'toString', '__proto__'])(
    'says that it has no operation %s',
    async (op) => {
      // A newer page may send such an operation over a port.
      const engine = engineOf<'load'>({ load: () => withoutEvents(async () => undefined) });
      const any = engine as Engine;
      const job = { op: op as Operation, model: 'm' } as { op: 'load'; model: string };
      await expect(any.run(job, NEVER, () => undefined)).rejects.toThrow(`no operation '${op}'`);
    },
  );
});

describe('work without events', () => {
  test('is done when the iteration ends', async () => {
    let isDone = false;
    await Array.fromAsync(withoutEvents(async () => void (isDone = true)));
    expect(isDone).toBe(true);
  });

  test('fails the iteration, and does not begin before it', async () => {
    const events = withoutEvents(() => Promise.reject(new Error('no')));
    await expect(events.next()).rejects.toThrow('no');
  });
});

test('an event belongs to the operations that report it', () => {
  const progress = { model: 'm', stage: 'ready' as const, loadedBytes: 0, totalBytes: 0, text: '' };
  const event: ProgressEvent = { type: 'progress', progress };
  expect(isEventOf('watch', event)).toBe(true);
  expect(isEventOf('generate', event)).toBe(false);
  expect(isEventOf('watch', { ...event, type: 'constructor' as 'progress' })).toBe(false);
});
