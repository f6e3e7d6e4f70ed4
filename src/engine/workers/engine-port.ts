/** The global scope of a worker that the page has started for the engine. */
interface Scope {
  addEventListener: (
    type: 'message',
    listener: (event: MessageEvent<unknown>) => void,
    options: { once: boolean },
  ) => void;
  postMessage: (message: null) => void;
}

/**
 * Waits for the port to the engine, the only message that the page sends to such a worker. The answer, the worker's only
 * message to the page, says that its script has been run. See `PageWorker`.
 */
export function enginePort(scope: Scope): Promise<MessagePort> {
  return new Promise((resolve) => {
    const take = ({ ports: [port] }: MessageEvent<unknown>) => {
      if (!port) return;
      scope.postMessage(null);
      resolve(port);
    };
    scope.addEventListener('message', take, { once: true });
  });
}
