import { ApiError, EngineLost, toErrorData } from '../errors/errors.ts';
import type { Engine } from './engine.ts';
import { EventSender } from './event-sender.ts';
import type { JobOf, Operation } from '../operations/jobs/jobs.ts';
import type { FromHost, ToHost } from './port-messages.ts';
import { webLocks, type Liveness } from './web-lock.ts';

export interface HostOptions {
  /** Calls back when a client is gone. */
  watch?: Liveness['watch'];
  /** Web Lock that this host holds while it lives, for clients that do not know it yet. */
  lock?: string;
  /** Web Lock of a host before this one, which hung. */
  hung?: string | undefined;
}

/** Runs the jobs that arrive over one client's port, until the client is gone. */
export function serveEngine<Ops extends Operation>(
  port: MessagePort,
  engine: Engine<Ops>,
  { watch = webLocks.watch, lock, hung }: HostOptions = {},
): void {
  const running = new Map<number, AbortController>();

  const run = async (id: number, job: JobOf<Ops>) => {
    const sender = new EventSender(id, job.op, port);
    const controller = new AbortController();
    running.set(id, controller);
    try {
      await engine.run(job, controller.signal, sender.event);
      sender.done();
    } catch (error) {
      // The client no longer waits for a cancelled job, so its error is not reported.
      if (controller.signal.aborted) sender.cancelled();
      else sender.failed(describe(error));
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
      case 'bye':
        close();
        break;
    }
  };
  const hello: FromHost = {
    type: 'hello',
    ...(lock !== undefined && { lock }),
    ...(hung !== undefined && { hung }),
  };
  port.postMessage(hello);
}

function describe(error: unknown) {
  // Unforeseen errors are logged with their cause; they contain no prompt.
  if (!(error instanceof ApiError)) console.error('slashv1:', error);
  if (!(error instanceof EngineLost && error.broke)) return { error: toErrorData(error) };
  console.error('slashv1:', error.cause);
  return { error: error.data, broken: true as const };
}
