import { EventQueue } from '../../core/async/event-queue.ts';

/**
 * Waits for a turn, and yields an event whenever the number of requests before it changes.
 *
 * @param enter - as of `Turnstile`
 * @param queued - makes the event; undefined: none is wanted
 * @returns the function that ends the turn
 */
export async function* waitingTurn<E>(
  enter: (onPlace?: (before: number) => void) => Promise<() => void>,
  queued: ((before: number) => E) | undefined,
): AsyncGenerator<E, () => void, undefined> {
  if (!queued) return await enter();
  const places = new EventQueue<number>();
  const entering = enter((before) => places.push(before)).finally(() => places.end());
  let isTaken = false;
  try {
    for await (const before of places) yield queued(before);
    const leave = await entering;
    isTaken = true;
    return leave;
  } finally {
    // Nobody wants the events any more: the turn may have begun all the same.
    if (!isTaken) {
      entering.then(
        (leave) => leave(),
        () => undefined,
      );
    }
  }
}
