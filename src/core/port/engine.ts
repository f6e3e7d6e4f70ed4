import { serverError } from '../errors/errors.ts';
import type { EventOf } from '../operations/events.ts';
import type { JobOf, Operation } from '../operations/jobs.ts';

/**
 * The seam between the API and whatever generates. Iterating runs the job; aborting the signal cancels
 * it: the iterator then ends by throwing the signal's reason. Failures are thrown as ApiError.
 *
 * @typeParam Ops - the operations that this engine runs
 */
export interface Engine<Ops extends Operation = Operation> {
  run<Op extends Ops>(job: JobOf<Op>, signal: AbortSignal): AsyncIterable<EventOf<Op>>;
}

/**
 * Runs a job whose events go to one sink, in order. Resolves when the job is done. Aborting the signal cancels it: the
 * promise then rejects with the signal's reason.
 */
export type RunJob<Ops extends Operation> = <Op extends Ops>(
  job: JobOf<Op>,
  signal: AbortSignal,
  emit: (event: EventOf<Op>) => void,
) => Promise<void>;

/** Runs the jobs of an engine whose events are iterated. */
export function runOf<Ops extends Operation>(engine: Engine<Ops>): RunJob<Ops> {
  return async (job, signal, emit) => {
    for await (const event of engine.run(job, signal)) emit(event);
  };
}

/** How each operation is run. */
export type Runs<Ops extends Operation> = {
  [Op in Ops]: (job: JobOf<Op>, signal: AbortSignal) => AsyncIterable<EventOf<Op>>;
};

/** An engine that runs each job by the function of its operation. */
export function engineOf<Ops extends Operation>(runs: Runs<Ops>): Engine<Ops> {
  return {
    run(job, signal) {
      if (Object.hasOwn(runs, job.op)) return runs[job.op](job, signal);
      throw unknownOperation(job.op);
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
  work: () => Promise<unknown> | AsyncIterable<unknown>,
): AsyncGenerator<never, void, undefined> {
  const running = work();
  if (running instanceof Promise) await running;
  else for await (const _ of running);
  yield* NO_EVENTS;
}
