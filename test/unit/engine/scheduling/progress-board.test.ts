import { describe, expect, test } from 'vitest';
import type { ProgressEvent, Progress } from '../../../../src/core/operations/events/events.ts';
import { eventsOf } from '../../support/sinks.ts';
import { ProgressBoard } from '../../../../src/engine/scheduling/progress-board.ts';

function progress(model: string, loadedBytes: number): Progress {
  return { model, stage: 'download', loadedBytes, totalBytes: 10, text: 'Downloading' };
}

const watch = (board: ProgressBoard, signal: AbortSignal) =>
  eventsOf<ProgressEvent>((emit) => board.watch(signal, emit));

async function next(events: AsyncGenerator<ProgressEvent>): Promise<Progress | undefined> {
  const { value, done } = await events.next();
  return done || value.type !== 'progress' ? undefined : value.progress;
}

describe('a watcher', () => {
  test('sees the current state first, then every change', async () => {
    const board = new ProgressBoard();
    board.report(progress('a', 1));
    board.report(progress('b', 2));
    board.report(progress('a', 3));
    const events = watch(board, new AbortController().signal);
    expect([await next(events), await next(events)]).toEqual([progress('a', 3), progress('b', 2)]);
    const change = next(events);
    board.report(progress('b', 4));
    expect(await change).toEqual(progress('b', 4));
  });

  test('sees the same as every other watcher', async () => {
    const board = new ProgressBoard();
    const { signal } = new AbortController();
    const watchers = [watch(board, signal), watch(board, signal)].map(next);
    board.report(progress('a', 1));
    expect(await Promise.all(watchers)).toEqual([progress('a', 1), progress('a', 1)]);
  });

  test('misses nothing while it is busy', async () => {
    const board = new ProgressBoard();
    const events = watch(board, new AbortController().signal);
    const first = next(events);
    for (const bytes of [1, 2, 3]) board.report(progress('a', bytes));
    expect([await first, await next(events), await next(events)]).toEqual(
      [1, 2, 3].map((bytes) => progress('a', bytes)),
    );
  });

  test('ends when its signal aborts', async () => {
    const board = new ProgressBoard();
    const controller = new AbortController();
    const end = next(watch(board, controller.signal));
    controller.abort();
    expect(await end).toBeUndefined();
    expect(await next(watch(board, controller.signal))).toBeUndefined();
  });
});
