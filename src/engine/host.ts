import { ApiError, EngineLost, toErrorData } from '../core/protocol/errors.ts';
import type { Engine } from '../core/protocol/engine.ts';
import type { JobOf, Operation } from '../core/protocol/jobs.ts';
import type { FromHost, ToHost } from '../core/protocol/port-messages.ts';
import { webLocks, type Liveness } from '../core/protocol/web-lock.ts';

export interface HostOptions {
  /** Notices when a client is gone. */
  watch?: Liveness['watch'];
  /** Web Lock that this host holds as long as it lives, for clients that have not been told of it. */
  lock?: string;
}

/** Runs the jobs that one client sends over its port, until that client is gone. */
export function serveEngine<Ops extends Operation>(
  port: MessagePort,
  engine: Engine<Ops>,
  { watch = webLocks.watch, lock }: HostOptions = {},
): void {
  const running = new Map<number, AbortController>();
  const send = (message: FromHost) => port.postMessage(message);

  const run = async (id: number, job: JobOf<Ops>) => {
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

  port.onmessage = ({ data }: MessageEvent<ToHost<Ops>>) => {
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
