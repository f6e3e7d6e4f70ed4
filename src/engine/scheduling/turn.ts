/**
 * Makes a function that waits for a turn of the event loop, so that messages which have arrived are handled. A timer
 * would wait 4 ms, in which a small model writes a token. Several generations may wait at once.
 */
export function newTurn(): () => Promise<void> {
  const { port1, port2 } = new MessageChannel();
  const waiting: (() => void)[] = [];
  port1.onmessage = () => waiting.shift()?.();
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      port2.postMessage(null);
    });
}
