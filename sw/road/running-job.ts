import { ApiError, serverError } from '../../src/core/errors/errors.ts';
import { faultMessage, type JobFault } from '../../src/core/errors/job-fault.ts';
import type { EventOf } from '../../src/core/operations/events/events.ts';
import type { ApiOperation, JobOf } from '../../src/core/operations/jobs/jobs.ts';
import type { Engine, Take } from '../../src/core/port/engine.ts';
import { JobMeter } from '../metering/job-meter.ts';

/** How long a response may be withheld, milliseconds, by the kind of its body. */
export interface Grace {
  stream: number;
  json: number;
}

/**
 * How long a response may be withheld: a stream for its first event, a whole answer for its end. Until then a failure still
 * has its true status. After that the client's disconnect is visible: a body can be cancelled, a pending respondWith cannot.
 * No browser gives up on the response within this time.
 */
export const GRACE_MS: Grace = { stream: 2_000, json: 20_000 };

/** The grace where a client's disconnect is always visible. Timers know no longer time. */
export const SIGNALLED_GRACE_MS: Grace = { ...GRACE_MS, json: 2 ** 31 - 1 };

/** The request field that a part of the job came from, e.g. `messages` for the prompt. */
export type FieldOf = (fault: Pick<JobFault, 'part' | 'path'>) => string;

/** What is asked of the engine for a request. */
export interface RequestedJob<Op extends ApiOperation> {
  job: JobOf<Op>;
  /** Jobs that are done after it, one after the other. */
  others?: readonly JobOf<Op>[];
  /** How many answers all of them have; default: one. */
  answers?: number;
  fieldOf: FieldOf;
}

/** Follows the jobs of a request. */
export interface JobFollower {
  /** @throws ApiError to refuse the job */
  began(job: { op: ApiOperation; model?: string }, meter: JobMeter): void;
  /** @param meter - has counted the event. @throws ApiError to end the job */
  took(event: EventOf<ApiOperation>, meter: JobMeter): void | Promise<void>;
  /** @param error - why it has failed; undefined: it has not, or the client has left */
  ended(meter: JobMeter, error: unknown): void | Promise<void>;
}

/** What a job needs of the request that it is done for. */
export interface JobContext {
  engine: Engine<ApiOperation>;
  /** Aborts when the client hangs up, as far as that is known before a body is cancelled. */
  signal: AbortSignal;
  budget: JobFollower | undefined;
  report: JobFollower | undefined;
  graceMs: Grace;
}

/** Work that runs. */
export interface Running<E> {
  /** Passes the events on until the end. Call it once. Throws unless every answer is complete. */
  each: (take: Take<E>) => Promise<void>;
  /** Call it when the client no longer wants the answer. */
  cancel: () => void;
}

type ApiEvent = EventOf<ApiOperation>;

export type RunningJob<Op extends ApiOperation> = Running<EventOf<Op>>;

/** Takes the events of a job. `take` may change while the work runs: read it again for each event. */
export interface Sink<E> {
  take: Take<E>;
}

/** Does what was asked for, and reports events. */
export type Work<Op extends ApiOperation, E> = (
  context: JobContext,
  requested: RequestedJob<Op>,
  sink: Sink<E>,
) => Promise<void>;

/** Work whose first event may not have arrived. */
interface Starting<E> extends Running<E> {
  /** Settles with the first event, or when the work ends without one. */
  first: Promise<void>;
}

/**
 * Begins a job whose events go into the body one by one.
 *
 * @param graceMs - milliseconds
 * @param work - runs the job; default: `runJob`
 * @throws ApiError if it fails before its first event, within the grace
 */
export function begin<Op extends ApiOperation>(
  context: JobContext,
  requested: RequestedJob<Op>,
  graceMs: number,
): Promise<RunningJob<Op>>;
export function begin<Op extends ApiOperation, E>(
  context: JobContext,
  requested: RequestedJob<Op>,
  graceMs: number,
  work: Work<Op, E>,
): Promise<Running<E>>;
export async function begin(
  context: JobContext,
  requested: RequestedJob<ApiOperation>,
  graceMs: number,
  work: Work<ApiOperation, ApiEvent> = runJob,
): Promise<RunningJob<ApiOperation>> {
  const running = starting(context, requested, work);
  await firstOrGrace(running.first, graceMs);
  return running;
}

/** Begins a job. Its failure is thrown by `each`. */
export function starting<Op extends ApiOperation, E>(
  context: JobContext,
  requested: RequestedJob<Op>,
  work: Work<Op, E>,
): Starting<E> {
  const controller = new AbortController();
  const first = Promise.withResolvers<void>();
  const reader = Promise.withResolvers<Take<E>>();
  const sink: Sink<E> = {
    // Until somebody reads, the first event waits, and all others behind it.
    take: async (event) => {
      first.resolve();
      const take = await reader.promise;
      await take(event);
    },
  };
  const signal = AbortSignal.any([controller.signal, context.signal]);
  const ended = work({ ...context, signal }, requested, sink);
  ended.then(first.resolve, first.reject);
  // Whole answers do not wait for it.
  first.promise.catch(() => undefined);
  return {
    first: first.promise,
    each(given) {
      reader.resolve(given);
      sink.take = given;
      return ended;
    },
    // Not at once: if an event like this abort is dispatched while a response's stream is being cancelled,
    // WebKitGTK 2.50 blocks the service worker for good.
    cancel: () =>
      queueMicrotask(() => controller.abort(new DOMException('The client hung up', 'AbortError'))),
  };
}

/** Runs a job to its end. @throws ApiError that names the request's field; the signal's reason */
export async function runJob<Op extends ApiOperation>(
  context: JobContext,
  { job, others = [], answers = 1, fieldOf }: RequestedJob<Op>,
  sink: Sink<EventOf<Op>>,
): Promise<void> {
  let ended = 0;
  try {
    for (const each of [job, ...others]) ended += await followed(context, each, sink);
  } catch (error) {
    throw blamingField(error, fieldOf);
  }
  // An unfinished answer has failed, even without an error: a clean end would be taken for a whole answer.
  if (ended < answers) {
    throw serverError('engine_error', 'The engine ended in the middle of its answer.');
  }
}

/** Runs one job with its followers, who get some events that the job did not ask for. @returns how many answers ended */
async function followed<Op extends ApiOperation>(
  { engine, signal, budget, report }: JobContext,
  job: JobOf<Op>,
  sink: Sink<EventOf<Op>>,
): Promise<number> {
  const followers = [budget, report].filter((each) => each !== undefined);
  const meter = new JobMeter();
  const asksReading = 'tellsReading' in job && job.tellsReading;
  const asked = {
    ...job,
    ...(job.op === 'generate' &&
      followers.length > 0 && { countsTokens: true, tellsReading: true }),
  };
  let failure: unknown;
  try {
    for (const follower of followers) follower.began(job, meter);
    await engine.run<Op>(asked, signal, async (event) => {
      meter.take(event);
      for (const follower of followers) await follower.took(event, meter);
      const isReading = event.type === 'reading' || event.type === 'queued';
      if (!isReading || asksReading) await sink.take(event);
    });
  } catch (error) {
    if (!signal.aborted) failure = error;
    throw error;
  } finally {
    for (const follower of followers) await follower.ended(meter, failure);
  }
  return meter.answers;
}

function blamingField(error: unknown, fieldOf: FieldOf): unknown {
  if (!(error instanceof ApiError) || !error.data.fault) return error;
  const { fault, ...data } = error.data;
  const param = fieldOf(fault);
  const message = fault.text === undefined ? data.message : faultMessage(param, fault.text);
  return new ApiError({ ...data, param, message });
}

/** Resolves when the promise does, or else after the grace, milliseconds. */
export async function firstOrGrace(first: Promise<unknown>, ms: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const grace = new Promise((resolve) => (timer = setTimeout(resolve, ms)));
  try {
    await Promise.race([first, grace]);
  } finally {
    clearTimeout(timer);
  }
  // Whoever waits for the end gets the failure later: until then, it must not count as an unhandled rejection.
  first.catch(() => undefined);
}
