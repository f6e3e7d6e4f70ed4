/** The first message of a worker to the engine: its script has been run. */
export const WORKER_RUNS = 'slashv1:worker-runs';

/** The global scope of a worker that the page has started for the engine. */
interface Scope {
  addEventListener: (
    type: 'message',
    listener: (event: MessageEvent<unknown>) => void,
    options: { once: boolean },
  ) => void;
}

/** Waits for the port to the engine, the only message that the page sends to such a worker. See `PageWorker`. */
export function enginePort(scope: Scope): Promise<MessagePort> {
  return new Promise((resolve) => {
    const take = ({ ports: [port] }: MessageEvent<unknown>) => {
      port?.postMessage(WORKER_RUNS);
      if (port) resolve(port);
    };
    scope.addEventListener('message', take, { once: true });
  });
}
