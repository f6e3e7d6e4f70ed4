import { delay } from '../async/delay.ts';
import type { Delivery } from './delivery.ts';
import type { EngineClient } from './engine-client.ts';
import type { JobEvent } from './engine.ts';
import { ApiError, EngineLost, Unread } from './errors.ts';
import { orAborted } from '../async/or-aborted.ts';

/** How often an answer may lose its engine in a row without anything new in between: tabs come and go. */
const MAX_LOSSES = 4;
/** How often an engine may break over one job: a second time is no chance. */
const MAX_BREAKS = 1;

/**
 * Runs a job to its end, on one engine after the other if it has to be: when the tab that hosts the
 * engine closes or its worker breaks, the next engine takes the job over, and whoever reads the events
 * notices nothing but a pause. It is the same when the engine was let go because nobody read: it goes on
 * when somebody does.
 *
 * @param connect - gives the client of an engine that lives; throws when there is none any more
 */
export async function* survive(
  connect: (signal: AbortSignal) => Promise<EngineClient>,
  answer: Delivery,
  signal: AbortSignal,
): AsyncGenerator<JobEvent, void, undefined> {
  let breaks = 0;
  let losses = 0;
  let wasUnread = false;
  for (;;) {
    const client = await connect(signal);
    const { length } = answer;
    try {
      for await (const event of client.run(answer.restart(), signal)) {
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
        // It was let in once: it waits for another place rather than to break off.
        await delay(freeMs, signal);
        continue;
      }
      if (!(error instanceof EngineLost) || signal.aborted || !answer.isRepeatable) throw error;
      losses = answer.length > length ? 1 : losses + 1;
      if (error.broke) breaks++;
      if (losses > MAX_LOSSES || breaks > MAX_BREAKS) throw error;
      // A broken engine says so before its worker is replaced.
      await orAborted(client.gone, signal);
    }
  }
}

/** Undefined for all errors but those of a full queue. */
function retryAfterMs(error: unknown): number | undefined {
  return error instanceof ApiError && error.data.status === 429
    ? error.data.retryAfterMs
    : undefined;
}
