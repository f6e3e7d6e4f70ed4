import { SCRIPT_HAS_RUN } from '../../core/realms/messages.ts';

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
 * Waits for the port to the engine, the only message that the page sends to such a worker. The answer, the
 * only message to the page, and the first one to the engine say that the script has been run. See `PageWorker`.
 */
export function enginePort(scope: Scope): Promise<MessagePort> {
  return new Promise((resolve) => {
    const take = ({ ports: [port] }: MessageEvent<unknown>) => {
      if (!port) return;
      scope.postMessage(null);
      port.postMessage(SCRIPT_HAS_RUN);
      resolve(port);
    };
    scope.addEventListener('message', take, { once: true });
  });
}
