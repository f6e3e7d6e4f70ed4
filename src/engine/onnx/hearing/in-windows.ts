import { afterHearing } from '../../../core/operations/delivery.ts';
import type { EventOf } from '../../../core/operations/events/events.ts';
import type { Context } from '../../road/stage.ts';
import { whenThereIsPlace } from '../../workers/when-there-is-place.ts';

/**
 * Timeout of the encoder, which reads a window at once, without a sign of life. large-v3's computes 2.3 trillion
 * operations, for which one slow thread needs minutes.
 */
export const ENCODER_TIMEOUT_MS = 600_000;

type Windowed = Context<'transcribe'> & { isSign?: (event: EventOf<'transcribe'>) => boolean };

/** A transcription takes a turn for each window of the recording, so that other jobs do not wait for long. */
export async function inWindows(context: Windowed, next: () => Promise<void>): Promise<void> {
  const { job, signal, emit } = context;
  let { from } = job;
  let isOpen = false;
  // An event that ends where the window begins is only a sign of life: the window is still being read.
  context.isSign = (event) => event.type === 'heard' && event.until === (from?.seconds ?? 0);
  context.emit = (event) => {
    isOpen = event.type === 'heard';
    if (event.type === 'heard') from = afterHearing(from, event);
    emit(event);
  };
  for (let isFirst = true; isFirst || isOpen; isFirst = false) {
    isOpen = false;
    context.job = from ? { ...job, from } : job;
    // The first window has a place in the queue or fails; the others wait for one.
    await (isFirst ? next() : whenThereIsPlace(next, signal));
  }
}
