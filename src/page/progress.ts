import type { Engine } from '../core/protocol/engine.ts';
import type { Progress } from '../core/protocol/events.ts';

/** Before the engine is asked again after it was lost, milliseconds. */
const RETRY_MS = 1_000;

/**
 * Reports the engine's progress, whichever tab hosts it, until the signal aborts or the returned
 * function is called.
 */
export function watchProgress(
  engine: Engine<'watch'>,
  listener: (progress: Progress) => void,
  signal: AbortSignal,
): () => void {
  const stopping = new AbortController();
  const either = AbortSignal.any([signal, stopping.signal]);
  void watch(engine, listener, either);
  return () => stopping.abort();
}

async function watch(
  engine: Engine<'watch'>,
  listener: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      for await (const { progress } of engine.run({ op: 'watch' }, signal)) listener(progress);
    } catch {
      // The host is gone or we are to stop; a new host is asked until then.
    }
    if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}
