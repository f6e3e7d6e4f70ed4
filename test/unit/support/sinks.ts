import { EventQueue } from '../../../src/core/async/event-queue.ts';
import type { Engine, RunJob } from '../../../src/core/port/engine.ts';
import type { EventOf } from '../../../src/core/operations/events.ts';
import type { Operation } from '../../../src/core/operations/jobs.ts';
import { NEVER } from './never.ts';

/** The events that work gives to its sink. A reader that leaves early aborts the work. */
export async function* eventsOf<E>(
  work: (emit: (event: E) => void, signal: AbortSignal) => Promise<void>,
  signal = NEVER,
): AsyncGenerator<E, void, undefined> {
  const queue = new EventQueue<E>();
  const leaving = new AbortController();
  work((event) => queue.push(event), AbortSignal.any([signal, leaving.signal])).then(
    () => queue.end(),
    (error: unknown) => queue.fail(error),
  );
  try {
    yield* queue;
  } finally {
    leaving.abort();
  }
}

/** An engine that runs jobs with this function, with the interface of a port's client. */
export function iterated<Ops extends Operation>(runJob: RunJob<Ops>): Engine<Ops> {
  return {
    run: (job, signal) =>
      eventsOf<EventOf<typeof job.op>>((emit, ending) => runJob(job, ending, emit), signal),
  };
}
