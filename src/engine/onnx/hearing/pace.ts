import { EventQueue } from '../../../core/async/event-queue.ts';

/** How a window is read: step by step, until the signal is aborted. */
export interface Pace {
  signal: AbortSignal;
  /** Is called after each step, such as a token. Messages may arrive meanwhile. */
  onStep: () => Promise<void>;
}

/** The shortest time between two signs of life, milliseconds: each costs a message and a turn of the event loop. */
const SIGN_MS = 100;

/**
 * Does work that takes steps, and gives signs of life meanwhile.
 *
 * @param turn - waits for a turn of the event loop, in which the signal may be aborted
 * @returns the work's result
 */
export async function* withSigns<S, T>(
  sign: S,
  turn: () => Promise<void>,
  work: (onStep: () => Promise<void>) => Promise<T>,
): AsyncGenerator<S, T, undefined> {
  const signs = new EventQueue<S>();
  let latest = performance.now();
  const result = work(async () => {
    if (performance.now() - latest < SIGN_MS) return;
    latest = performance.now();
    signs.push(sign);
    await turn();
  });
  result.then(
    () => signs.end(),
    (error: unknown) => signs.fail(error),
  );
  yield* signs;
  return result;
}
