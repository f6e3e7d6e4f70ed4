import { serverError } from '../errors/errors.ts';
import type { EventOf } from '../operations/events/events.ts';
import type { JobOf, Operation } from '../operations/jobs/jobs.ts';

/** Gets events, one after the other. If it returns a promise, the next event waits for that. */
export type Take<E> = (event: E) => void | Promise<void>;

/**
 * The seam between the API and whatever generates.
 *
 * @typeParam Ops - the operations that this engine runs
 */
export interface Engine<Ops extends Operation = Operation> {
  /**
   * Runs a job to its end. Aborting the signal cancels it: the promise then rejects with the signal's reason. If `take`
   * throws, the job ends with that error.
   *
   * @throws ApiError
   */
  run<Op extends Ops>(job: JobOf<Op>, signal: AbortSignal, take: Take<EventOf<Op>>): Promise<void>;
}

/** Runs a job that reports one event. @returns the event */
export async function onlyEvent<Ops extends Operation, Op extends Ops>(
  engine: Engine<Ops>,
  job: JobOf<Op>,
  signal: AbortSignal,
): Promise<EventOf<Op>> {
  let only: EventOf<Op> | undefined;
  await engine.run<Op>(job, signal, (event) => void (only = event));
  if (only) return only;
  throw serverError('engine_error', 'The engine did not answer.');
}

/** How each operation is run. */
export type Runs<Ops extends Operation> = {
  [Op in Ops]: (job: JobOf<Op>, signal: AbortSignal) => AsyncIterable<EventOf<Op>>;
};

/** An engine that runs each job by the function of its operation. */
export function engineOf<Ops extends Operation>(runs: Runs<Ops>): Engine<Ops> {
  return {
    async run(job, signal, take) {
      if (!Object.hasOwn(runs, job.op)) throw unknownOperation(job.op);
      for await (const event of runs[job.op](job, signal)) await take(event);
    },
  };
}

/** Only a port can bring such a job: the types rule it out everywhere else. */
export function unknownOperation(op: string): Error {
  return serverError('engine_error', `This engine has no operation '${op}'.`);
}

const NO_EVENTS: readonly never[] = [];

/** Runs work whose job reports nothing: the generator ends when the work is done. */
export async function* withoutEvents(
  work: () => Promise<unknown>,
): AsyncGenerator<never, void, undefined> {
  await work();
  yield* NO_EVENTS;
}
