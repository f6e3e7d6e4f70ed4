import { delay } from '../../../core/async/delay.ts';
import type { Engine } from '../../../core/port/engine.ts';
import type { Progress } from '../../../core/operations/events/events.ts';

/** How long to wait before asking again when the engine is lost, milliseconds. */
const RETRY_MS = 1_000;

/**
 * Reports the engine's progress, whichever tab hosts it, until the signal aborts or the returned function
 * is called. If the listener throws, the error is reported like that of an event listener.
 */
export function watchProgress(
  engine: Engine<'watch'>,
  listener: (progress: Progress) => void,
  signal: AbortSignal,
): () => void {
  const stopping = new AbortController();
  void watch(engine, listener, AbortSignal.any([signal, stopping.signal]));
  return () => stopping.abort();
}

async function watch(
  engine: Engine<'watch'>,
  listener: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await engine.run({ op: 'watch' }, signal, ({ progress }) => {
        // Events that were under way may arrive after the abort.
        if (!signal.aborted) call(listener, progress);
      });
    } catch {
      // The host is gone. The loop asks the next one.
    }
    await delay(RETRY_MS, signal).catch(() => undefined);
  }
}

function call(listener: (progress: Progress) => void, progress: Progress): void {
  try {
    listener(progress);
  } catch (error) {
    reportError(error);
  }
}
