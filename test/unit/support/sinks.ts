import { EventQueue } from '../../../src/core/async/event-queue.ts';
import type { Engine } from '../../../src/core/port/engine.ts';
import type { EventOf } from '../../../src/core/operations/events/events.ts';
import type { JobOf, Operation } from '../../../src/core/operations/jobs/jobs.ts';
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

/** An engine whose events are iterated, which suits tests. A reader that leaves early cancels the job. */
export interface IteratedEngine<Ops extends Operation = Operation> {
  run<Op extends Ops>(
    job: JobOf<Op>,
    signal: AbortSignal,
  ): AsyncGenerator<EventOf<Op>, void, undefined>;
}

export function iterated<Ops extends Operation>(engine: Engine<Ops>): IteratedEngine<Ops> {
  return {
    run: (job, signal) =>
      eventsOf<EventOf<typeof job.op>>((emit, ending) => engine.run(job, ending, emit), signal),
  };
}
