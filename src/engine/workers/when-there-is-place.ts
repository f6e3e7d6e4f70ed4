import { delay } from '../../core/async/delay.ts';
import { toErrorData } from '../../core/errors/errors.ts';

/** Does a further part of a job. While the queue is full, this waits and tries again instead of failing. */
export async function whenThereIsPlace(
  work: () => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const { status, retryAfterMs } = toErrorData(error);
      if (status !== 429 || retryAfterMs === undefined) throw error;
      await delay(retryAfterMs, signal);
    }
  }
}
