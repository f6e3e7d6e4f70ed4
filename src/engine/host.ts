import { ApiError, EngineLost, toErrorData } from '../core/errors.ts';
import type { Engine, FromHost, Job, ToHost } from '../core/engine.ts';
import { webLocks, type Liveness } from '../core/web-lock.ts';

export interface HostOptions {
  /** Notices when a client is gone. */
  watch?: Liveness['watch'];
  /** Web Lock that this host holds as long as it lives, for clients that have not been told of it. */
  lock?: string;
}

/** Answers the jobs that come over one client's port, until the client says no more or is gone. */
export function serveEngine(
  port: MessagePort,
  engine: Engine,
  { watch = webLocks.watch, lock }: HostOptions = {},
): void {
  const running = new Map<number, AbortController>();
  const send = (message: FromHost) => port.postMessage(message);

  const run = async (id: number, job: Job) => {
    const controller = new AbortController();
    running.set(id, controller);
    try {
      for await (const event of engine.run(job, controller.signal)) {
        send({ type: 'event', id, event });
      }
      send({ type: 'done', id });
    } catch (error) {
      // Nobody waits for a cancelled job, and its failure is no failure.
      if (!controller.signal.aborted) send({ type: 'failed', id, ...describe(error) });
    } finally {
      running.delete(id);
    }
  };
  const cancel = (controller: AbortController | undefined) =>
    controller?.abort(new DOMException('Cancelled by the client', 'AbortError'));
  const close = () => {
    port.close();
    running.forEach(cancel);
  };

  port.onmessage = ({ data }: MessageEvent<ToHost>) => {
    switch (data.type) {
      case 'hello':
        watch(data.lock, close);
        break;
      case 'run':
        void run(data.id, data.job);
        break;
      case 'cancel':
        cancel(running.get(data.id));
        break;
      case 'bye':
        close();
        break;
    }
  };
  send({ type: 'hello', ...(lock !== undefined && { lock }) });
}

function describe(error: unknown) {
  // The cause of what we did not foresee is worth a line in the console; it holds no prompt.
  if (!(error instanceof ApiError)) console.error('slashv1:', error);
  if (!(error instanceof EngineLost && error.broke)) return { error: toErrorData(error) };
  console.error('slashv1:', error.cause);
  return { error: error.data, broken: true as const };
}
