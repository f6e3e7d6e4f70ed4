/**
 * A function that waits for a turn of the event loop, so that messages which have arrived are handled. A
 * timer would wait for 4 ms, which is a token of a small model. Several may wait: a cancelled job, and the next one.
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
