/**
 * A function that waits for a turn of the event loop, so that messages which have arrived are handled. A
 * timer would wait for 4 ms, which is a token of a small model.
 */
export function newTurn(): () => Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return () =>
    new Promise((resolve) => {
      port1.onmessage = () => resolve();
      port2.postMessage(null);
    });
}
