import { delay } from '../async/delay.ts';
import type { Delivery } from '../operations/delivery.ts';
import type { EngineClient } from './engine-client.ts';
import type { Engine, Take } from './engine.ts';
import { ApiError, EngineLost, serverError, Unread } from '../errors/errors.ts';
import type { EventOf } from '../operations/events/events.ts';
import type { JobOf, Operation } from '../operations/jobs/jobs.ts';
import { orAborted } from '../async/or-aborted.ts';

/** How many engines in a row an answer may lose without anything new in between: tabs are closed. */
const MAX_LOSSES = 4;
/** How many engines may break over one job: the second time is no coincidence. */
const MAX_BREAKS = 1;

/** Makes the delivery of a job, of whose answer nothing has been delivered yet. */
export type NewDelivery<Ops extends Operation> = <Op extends Ops>(job: JobOf<Op>) => Delivery<Op>;

/**
 * Runs jobs to their end, on several engines if necessary. When the tab that hosts the engine closes or
 * its worker breaks, the next engine takes the job over, and the reader of the events notices only a
 * pause. A job that the engine hung on is not given to the next one: that would hang, too. A job whose engine was
 * released because nobody read its events continues when they are read.
 *
 * @param connect - gives the client of a living engine; throws if there is none
 */
export function surviving<Ops extends Operation>(
  connect: (signal: AbortSignal) => Promise<EngineClient>,
  newDelivery: NewDelivery<Ops>,
): Engine<Ops>['run'] {
  return async <Op extends Ops>(job: JobOf<Op>, signal: AbortSignal, take: Take<EventOf<Op>>) => {
    const answer = newDelivery(job);
    let breaks = 0;
    let losses = 0;
    let wasUnread = false;
    let next: EngineClient | undefined;
    for (;;) {
      const client = next ?? (await connect(signal));
      next = undefined;
      const { length } = answer;
      let hasBegun = false;
      try {
        return await client.run(answer.restart(losses > 0), signal, (event) => {
          hasBegun = true;
          const fresh = answer.take(event);
          return fresh && take(fresh);
        });
      } catch (error) {
        if (error instanceof Unread && !signal.aborted) {
          wasUnread = true;
          continue;
        }
        // A full queue refuses the job before any event: what comes later is the reader's own error.
        const freeMs = wasUnread && !hasBegun ? retryAfterMs(error) : undefined;
        if (freeMs !== undefined) {
          // The job had a place in the queue before, so it waits for a new one instead of failing.
          await delay(freeMs, signal);
          continue;
        }
        if (!(error instanceof EngineLost) || signal.aborted || !answer.isRepeatable) throw error;
        losses = answer.length > length ? 1 : losses + 1;
        if (error.broke) breaks++;
        if (losses > MAX_LOSSES || breaks > MAX_BREAKS) throw error;
        // A broken engine reports its failure before its worker is replaced.
        await orAborted(client.gone, signal);
        if (!error.wasWorking) continue;
        next = await connect(signal);
        await next.ready.catch(() => undefined);
        if (next.replacesHung(client)) throw engineHung();
      }
    }
  };
}

function engineHung(): ApiError {
  const message =
    'The engine hung while it worked on this request, and was replaced. The request is not repeated.';
  return serverError('timeout', message);
}

/** The wait that a full queue asks for; undefined for all other errors. */
function retryAfterMs(error: unknown): number | undefined {
  return error instanceof ApiError && error.data.status === 429
    ? error.data.retryAfterMs
    : undefined;
}
