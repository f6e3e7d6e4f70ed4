import { webLocks } from '../../core/port/web-lock.ts';
import { END_WORKER, SCRIPT_HAS_RUN } from '../../core/realms/messages.ts';
import { isSharedWorker, pageScope, type SharedScope, type WorkerScope } from './worker-scope.ts';

/**
 * Waits for the port to the engine, the only message that the page sends to a worker that it has started for the engine.
 * The answer, the only message to the page, and the first one to the engine say that the script has been run. See
 * `PageWorker`. A worker that outlives the page ends with its engine, or when the engine says so.
 */
export function enginePort(self: WorkerScope): Promise<MessagePort> {
  const scope = pageScope(self);
  return new Promise((resolve) => {
    /** @param data - the Web Lock that the engine holds while it lives */
    const take = ({ data, ports: [port] }: MessageEvent<string>) => {
      if (!port) return;
      scope.removeEventListener('message', take);
      if (isSharedWorker(self)) endWith(data, port, self);
      scope.postMessage(null);
      port.postMessage(SCRIPT_HAS_RUN);
      resolve(port);
    };
    scope.addEventListener('message', take);
  });
}

function endWith(engine: string, port: MessagePort, self: SharedScope): void {
  webLocks.watch(engine, () => self.close());
  port.addEventListener('message', ({ data }) => {
    if (data === END_WORKER) self.close();
  });
}
