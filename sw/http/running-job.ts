import type { Engine } from '../../src/core/port/engine.ts';
import { serverError } from '../../src/core/errors/errors.ts';
import type { EventOf } from '../../src/core/operations/events.ts';
import type { ApiOperation, JobOf } from '../../src/core/operations/jobs.ts';
import { blamingFields, type FieldOf } from './request-fields.ts';

export interface Grace {
  stream: number;
  json: number;
}

/**
 * How long a response may be withheld for its first event, milliseconds. Until then a failure still
 * has its true status. After that the client's disconnect is visible: a body can be cancelled, a pending
 * respondWith cannot. No browser gives up on the response within this time.
 */
export const GRACE_MS: Grace = { stream: 2_000, json: 20_000 };

/** A job to run for a request. */
export interface RequestedJob<Op extends ApiOperation> {
  engine: Engine<Op>;
  job: JobOf<Op>;
  fieldOf: FieldOf;
}

/** A job that runs: its first event has arrived, or its grace is over. */
export interface RunningJob<Op extends ApiOperation> {
  /** Throws unless every answer is complete. */
  events: AsyncGenerator<EventOf<Op>, void, undefined>;
  /** To be called when nobody wants the answer any more. */
  cancel: () => void;
}

/**
 * @param graceMs - milliseconds
 * @param answers - how many answers the job asks for
 * @throws ApiError if the job fails within the grace
 */
export async function begin<Op extends ApiOperation>(
  { engine, job, fieldOf }: RequestedJob<Op>,
  graceMs: number,
  answers = 1,
): Promise<RunningJob<Op>> {
  const controller = new AbortController();
  const running = blamingFields<EventOf<Op>>(engine.run(job, controller.signal), fieldOf);
  const events = untilEnd<Op>(running, answers);
  const first = events.next();
  await firstOrGrace(first, graceMs);
  return {
    events: withFirst(first, events),
    // Not at once: if an event like this abort is dispatched while a response's stream is being cancelled,
    // WebKitGTK 2.50 blocks the service worker for good.
    cancel: () =>
      queueMicrotask(() => controller.abort(new DOMException('The client hung up', 'AbortError'))),
  };
}

/** The events that end an answer. */
const ENDS = new Set<string>(['finish', 'spoken', 'embedded', 'ranked', 'transcribed']);

/** An unfinished answer has failed, even without an error: a clean end would be taken for a whole answer. */
async function* untilEnd<Op extends ApiOperation>(
  events: AsyncIterable<EventOf<Op>>,
  answers: number,
): AsyncGenerator<EventOf<Op>, void, undefined> {
  let ended = 0;
  for await (const event of events) {
    if (ENDS.has(event.type)) ended++;
    yield event;
  }
  if (ended < answers)
    throw serverError('engine_error', 'The engine ended in the middle of its answer.');
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
  // The reader of the events gets the failure later: until then it is no unhandled rejection.
  first.catch(() => undefined);
}

async function* withFirst<E>(
  first: Promise<IteratorResult<E>>,
  rest: AsyncIterator<E>,
): AsyncGenerator<E, void, undefined> {
  for (let result = await first; !result.done; result = await rest.next()) yield result.value;
}
