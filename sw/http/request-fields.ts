import { ApiError } from '../../src/core/errors/errors.ts';
import { faultMessage, type JobFault } from '../../src/core/errors/job-fault.ts';

/** The request field that a part of the job came from, e.g. `messages` for the prompt. */
export type FieldOf = (fault: Pick<JobFault, 'part' | 'path'>) => string;

/** Passes the events on. An engine's error that blames a part of the job then blames the field. */
export async function* blamingFields<E>(
  events: AsyncIterable<E>,
  fieldOf: FieldOf,
): AsyncGenerator<E, void, undefined> {
  try {
    yield* events;
  } catch (error) {
    throw blamingField(error, fieldOf);
  }
}

function blamingField(error: unknown, fieldOf: FieldOf): unknown {
  if (!(error instanceof ApiError) || !error.data.fault) return error;
  const { fault, ...data } = error.data;
  const param = fieldOf(fault);
  const message = fault.text === undefined ? data.message : faultMessage(param, fault.text);
  return new ApiError({ ...data, param, message });
}
