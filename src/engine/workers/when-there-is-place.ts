import { delay } from '../../core/async/delay.ts';
import { toErrorData } from '../../core/errors/errors.ts';

/** Runs a further part of a job: while the queue is full, it waits rather than fails. */
export async function* whenThereIsPlace<E>(
  run: () => AsyncIterable<E>,
  signal: AbortSignal,
): AsyncGenerator<E, void, undefined> {
  for (;;) {
    try {
      yield* run();
      return;
    } catch (error) {
      const { status, retryAfterMs } = toErrorData(error);
      if (status !== 429 || retryAfterMs === undefined) throw error;
      await delay(retryAfterMs, signal);
    }
  }
}
