import { delay } from '../../core/async/delay.ts';
import { serverError } from '../../core/protocol/errors.ts';

/** A transfer broke off, and may go on. */
export class Interruption extends Error {}

export interface Retry {
  /** Before the second attempt; doubles with each that brings nothing, milliseconds. */
  firstDelayMs: number;
  /** How many attempts in a row may bring nothing. */
  attempts: number;
}

/** Lasts about 15 seconds without any network. */
const RETRY: Retry = { firstDelayMs: 500, attempts: 6 };

/**
 * Attempts it until it ends, for as long as each few attempts bring something.
 *
 * @param url - what is fetched, for the error
 * @param received - how many bytes are here
 * @throws ApiError 500 when there is nothing to be had
 */
export async function retried(
  url: string,
  attempt: () => Promise<void>,
  received: () => number,
  signal: AbortSignal,
  { firstDelayMs, attempts }: Retry = RETRY,
): Promise<void> {
  let inVain = 0;
  for (;;) {
    const before = received();
    try {
      await attempt();
      return;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof Interruption)) throw error;
      inVain = received() > before ? 1 : inVain + 1;
      if (inVain >= attempts) throw gaveUp(url, error.message);
      await delay(firstDelayMs * 2 ** (inVain - 1), signal);
    }
  }
}

function gaveUp(url: string, why: string) {
  const kept = 'What has come so far is kept: the next attempt goes on from there.';
  return serverError('engine_error', `Could not download ${url}: ${why}. ${kept}`);
}
