import { delay } from '../../../core/async/delay.ts';
import { serverError } from '../../../core/errors/errors.ts';

/** A transfer that was interrupted and may be continued. */
export class Interruption extends Error {}

export interface Retry {
  /** Delay before the second attempt, milliseconds; doubles after each attempt without progress. */
  firstDelayMs: number;
  /** How many attempts in a row may make no progress. */
  attempts: number;
}

/** Gives up after about 15 seconds without a network. */
const RETRY: Retry = { firstDelayMs: 500, attempts: 6 };

/**
 * Repeats an interrupted transfer until it succeeds. Gives up after several attempts without progress.
 *
 * @param url - named in the error
 * @param received - how many bytes were received so far
 * @throws ApiError 500 after the last attempt
 */
export async function retried(
  url: string,
  attempt: () => Promise<void>,
  received: () => number,
  signal: AbortSignal,
  { firstDelayMs, attempts }: Retry = RETRY,
): Promise<void> {
  let withoutProgress = 0;
  for (;;) {
    const before = received();
    try {
      await attempt();
      return;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof Interruption)) throw error;
      withoutProgress = received() > before ? 1 : withoutProgress + 1;
      if (withoutProgress >= attempts) throw gaveUp(url, error.message);
      await delay(firstDelayMs * 2 ** (withoutProgress - 1), signal);
    }
  }
}

function gaveUp(url: string, why: string) {
  const kept = 'The received part is kept, and the next attempt continues it.';
  return serverError('engine_error', `Could not download ${url}: ${why}. ${kept}`);
}
