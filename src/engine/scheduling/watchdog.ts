import { inTime } from '../../core/async/in-time.ts';
import { serverError } from '../../core/errors/errors.ts';

/** A generation without output for this long has failed, milliseconds (the API's read timeout). */
export const GENERATION_TIMEOUT_MS = 120_000;

/** A load or unload without progress for this long has failed, milliseconds. */
export const LOAD_TIMEOUT_MS = 120_000;

/** Passes events on; throws 500 `timeout` if the next one takes too long. */
export async function* watchdog<T>(
  events: AsyncIterable<T>,
  timeoutMs = GENERATION_TIMEOUT_MS,
): AsyncGenerator<T, void, undefined> {
  const iterator = events[Symbol.asyncIterator]();
  let waiting = false;
  try {
    for (;;) {
      waiting = true;
      const result = await inTime(iterator.next(), timeoutMs, () => noOutput(timeoutMs));
      waiting = false;
      if (result.done) return;
      yield result.value;
    }
  } finally {
    // If the consumer left early, the generator must learn of it. But a hung generator never
    // returns: it is abandoned, and its worker is replaced.
    if (!waiting) await iterator.return?.();
  }
}

/**
 * Does work that reports its steps; throws 500 `timeout` if the next step takes too long.
 *
 * @param what - e.g. `loading`
 * @param work - gets the function to call at every step
 */
export async function watchProgress<T>(
  what: string,
  work: (onStep: () => void) => Promise<T>,
  timeoutMs = LOAD_TIMEOUT_MS,
): Promise<T> {
  const { promise: timeout, reject } = Promise.withResolvers<never>();
  const message = `The model made no progress in ${what} for ${timeoutMs / 1000} seconds.`;
  const expire = () => reject(serverError('timeout', message));
  let timer = setTimeout(expire, timeoutMs);
  const onStep = () => {
    clearTimeout(timer);
    timer = setTimeout(expire, timeoutMs);
  };
  try {
    return await Promise.race([work(onStep), timeout]);
  } finally {
    clearTimeout(timer);
  }
}

function noOutput(ms: number): Error {
  return serverError('timeout', `The model gave no output for ${ms / 1000} seconds.`);
}
