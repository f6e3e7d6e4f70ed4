import { serverError } from '../../core/errors/errors.ts';

/** A generation without output for this long has failed, milliseconds (the API's read timeout). */
export const GENERATION_TIMEOUT_MS = 120_000;

/** A load or unload without progress for this long has failed, milliseconds. */
export const LOAD_TIMEOUT_MS = 120_000;

/**
 * Does work that has output; throws 500 `timeout` if the next output takes too long. Work that hangs is abandoned: its
 * worker is replaced.
 *
 * @param work - gets the function to call at every output
 * @param firstMs - how long the first output may take, milliseconds
 */
export function watchOutput<T>(
  work: (onOutput: () => void) => Promise<T>,
  timeoutMs = GENERATION_TIMEOUT_MS,
  firstMs = timeoutMs,
): Promise<T> {
  const message = (ms: number) => `The model gave no output for ${ms / 1000} seconds.`;
  return watch(message, work, timeoutMs, firstMs);
}

/**
 * Does work that reports its steps; throws 500 `timeout` if the next step takes too long.
 *
 * @param what - tells what the model was doing, e.g. `loading`
 * @param work - gets the function to call at every step
 */
export function watchProgress<T>(
  what: () => string,
  work: (onStep: () => void) => Promise<T>,
  timeoutMs = LOAD_TIMEOUT_MS,
): Promise<T> {
  const message = (ms: number) =>
    `The model made no progress in ${what()} for ${ms / 1000} seconds.`;
  return watch(message, work, timeoutMs);
}

async function watch<T>(
  message: (ms: number) => string,
  work: (onStep: () => void) => Promise<T>,
  timeoutMs: number,
  firstMs = timeoutMs,
): Promise<T> {
  const { promise: timeout, reject } = Promise.withResolvers<never>();
  const expireAfter = (ms: number) =>
    setTimeout(() => reject(serverError('timeout', message(ms))), ms);
  let timer = expireAfter(firstMs);
  const onStep = () => {
    clearTimeout(timer);
    timer = expireAfter(timeoutMs);
  };
  try {
    return await Promise.race([work(onStep), timeout]);
  } finally {
    clearTimeout(timer);
  }
}
