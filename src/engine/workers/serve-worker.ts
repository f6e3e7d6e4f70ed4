import { Line } from '../../core/async/line.ts';
import type { Engine } from '../../core/port/engine.ts';
import type { Operation } from '../../core/operations/jobs/jobs.ts';
import type { FromHost } from '../../core/port/port-messages.ts';
import { toErrorData } from '../../core/errors/errors.ts';
import type { EngineConfig, ToEngineWorker } from '../../core/realms/messages.ts';
import { holdWebLock } from '../../core/port/web-lock.ts';
import { serveEngine } from '../../core/port/engine-host.ts';

/** What is answered while a job runs: it computes nothing. */
const AT_ONCE = new Set<Operation>(['close', 'heap']);

/**
 * Answers the jobs of a `JobWorker`, one after the other: a job that was cancelled may still be computing, in the memory
 * that the next job is going to use. It holds a Web Lock as long as this worker lives. When the lock is released, the
 * engine worker knows that this worker is gone.
 *
 * @param task - for debugging
 * @param setUp - makes the engine; called when the worker's configuration has arrived
 * @returns the listener for messages of the engine worker
 */
export function serveJobs<Ops extends Operation>(
  task: string,
  setUp: (config: EngineConfig) => Promise<Engine<Ops>>,
): (event: Pick<MessageEvent<ToEngineWorker>, 'data' | 'ports'>) => void {
  const lock = `slashv1:${task}:${crypto.randomUUID()}`;
  const configured = Promise.withResolvers<Engine<Ops>>();

  const configure = async (config: EngineConfig): Promise<Engine<Ops>> => {
    const [engine] = await Promise.all([setUp(config), holdWebLock(lock)]);
    return inTurn(engine);
  };
  const attach = async (port: MessagePort): Promise<void> => {
    try {
      serveEngine<Ops>(port, await configured.promise, { lock });
    } catch (error) {
      const message: FromHost = { type: 'refused', error: toErrorData(error) };
      port.postMessage(message);
    }
  };
  return ({ data, ports }) => {
    if (data.type === 'slashv1:configure') configured.resolve(configure(data.config));
    else if (ports[0]) void attach(ports[0]);
  };
}

function inTurn<Ops extends Operation>(engine: Engine<Ops>): Engine<Ops> {
  const line = new Line(1);
  return {
    run: (job, signal, take) => {
      const work = () => engine.run(job, signal, take);
      return AT_ONCE.has(job.op) ? work() : line.run(work, signal);
    },
  };
}
