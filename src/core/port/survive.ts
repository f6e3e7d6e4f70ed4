import { delay } from '../async/delay.ts';
import type { Delivery } from '../operations/delivery.ts';
import type { EngineClient } from './engine-client.ts';
import { ApiError, EngineLost, serverError, Unread } from '../errors/errors.ts';
import type { EventOf } from '../operations/events.ts';
import type { Operation } from '../operations/jobs.ts';
import { orAborted } from '../async/or-aborted.ts';

/** How many engines in a row an answer may lose without anything new in between: tabs are closed. */
const MAX_LOSSES = 4;
/** How many engines may break over one job: the second time is no coincidence. */
const MAX_BREAKS = 1;

/**
 * Runs a job to its end, on several engines if necessary. When the tab that hosts the engine closes or
 * its worker breaks, the next engine takes the job over, and the reader of the events notices only a
 * pause. A job that the engine hung on is not given to the next one: that would hang, too. A job whose engine was released because nobody read its events continues when they are read.
 *
 * @param connect - gives the client of a living engine; throws if there is none
 */
export async function* survive<Op extends Operation>(
  connect: (signal: AbortSignal) => Promise<EngineClient>,
  answer: Delivery<Op>,
  signal: AbortSignal,
): AsyncGenerator<EventOf<Op>, void, undefined> {
  let breaks = 0;
  let losses = 0;
  let wasUnread = false;
  let next: EngineClient | undefined;
  for (;;) {
    const client = next ?? (await connect(signal));
    next = undefined;
    const { length } = answer;
    try {
      for await (const event of client.run(answer.restart(losses > 0), signal)) {
        const fresh = answer.take(event);
        if (fresh) yield fresh;
      }
      return;
    } catch (error) {
      if (error instanceof Unread && !signal.aborted) {
        wasUnread = true;
        continue;
      }
      const freeMs = wasUnread ? retryAfterMs(error) : undefined;
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
