import { orAborted } from '../../src/core/async/or-aborted.ts';

/** The last one in each queue. */
const queues = new Map<string, Promise<void>>();

/**
 * Waits until all others that have entered before have left. A conversation takes one answer after the other.
 *
 * @param name - of the queue
 * @returns what leaves the queue; it may be called twice. @throws the signal's reason
 */
export async function turnIn(name: string, signal: AbortSignal): Promise<() => void> {
  const before = queues.get(name);
  const { promise, resolve } = Promise.withResolvers<void>();
  const last = Promise.all([before, promise]).then(() => {
    if (queues.get(name) === last) queues.delete(name);
  });
  queues.set(name, last);
  try {
    if (before) await orAborted(before, signal);
  } catch (error) {
    resolve();
    throw error;
  }
  return resolve;
}
