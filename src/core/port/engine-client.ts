import { ApiError, EngineLost, serverError } from '../errors/errors.ts';
import type { Engine, Take } from './engine.ts';
import type { EnginePort } from './engine-port.ts';
import { isEventOf, type EventOf, type JobEvent } from '../operations/events/events.ts';
import type { JobOf, Operation } from '../operations/jobs/jobs.ts';
import type { FromHost, ToHost } from './port-messages.ts';
import { JobReader } from './job-reader.ts';
import { webLocks, type Liveness } from './web-lock.ts';

/**
 * How many events of a generation may wait for their reader. Most tokens have two events: no reader
 * that still reads lags this far behind.
 */
const MAX_UNREAD = 1_000;

/** A port that takes only what a host understands. */
interface SendingPort {
  postMessage<Op extends Operation>(message: ToHost<Op>): void;
  close(): void;
}

interface RunningJob {
  op: Operation;
  /** Whether it waits for its turn; undefined: it has had no event. */
  waits?: boolean;
  reader: JobReader<JobEvent>;
}

/** The client's end of a port to the engine host: jobs out, events in. */
export class EngineClient implements Engine {
  readonly #port: SendingPort;
  readonly #jobs = new Map<number, RunningJob>();
  readonly #ready = Promise.withResolvers<void>();
  readonly #gone = Promise.withResolvers<void>();
  /** Aborts when the host is gone: nobody watches its lock any more. */
  readonly #watching = new AbortController();
  #nextId = 1;
  /** Why the host is gone; undefined while it lives. */
  #end: ApiError | undefined;
  #lock: string | undefined;
  /** Web Lock of a host before this one, which hung. */
  #hung: string | undefined;

  /** @param lock - Web Lock that the host holds as long as it lives; undefined: its hello names it */
  constructor(port: EnginePort, lock?: string, liveness: Liveness = webLocks) {
    this.#port = port;
    this.#lock = lock;
    if (lock !== undefined) this.#watch(lock, liveness);
    // Not everyone waits for `ready`: its rejection must not count as unhandled.
    this.#ready.promise.catch(() => undefined);
    port.onmessage = ({ data }: MessageEvent<FromHost | FromHost[]>) => {
      for (const message of [data].flat()) this.#receive(message, liveness);
    };
    // If this fails, the host learns of this client's end only when the jobs are over.
    this.#showLife(liveness).catch(() => undefined);
  }

  /** Resolves when the host has answered. */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  /** Resolves when the host is gone for good. */
  get gone(): Promise<void> {
    return this.#gone.promise;
  }

  get isGone(): boolean {
    return this.#end !== undefined;
  }

  /** Whether its host lives and holds this Web Lock. */
  reaches(lock: string): boolean {
    return !this.isGone && this.#lock === lock;
  }

  /** Whether this client's host has taken the place of the other client's, which hung. Known when `ready` resolves. */
  replacesHung(other: EngineClient): boolean {
    return this.#hung !== undefined && this.#hung === other.#lock;
  }

  /**
   * Events that this build does not know are left out.
   *
   * @throws Unread if too many events of a generation wait for their reader; they are delivered first
   */
  async run<Op extends Operation>(
    job: JobOf<Op>,
    signal: AbortSignal,
    take: Take<EventOf<Op>>,
  ): Promise<void> {
    signal.throwIfAborted();
    if (this.#end) throw this.#end;
    const id = this.#nextId++;
    const reader = new JobReader<JobEvent>({
      take: (event) => (isEventOf(job.op, event) ? take(event) : undefined),
      // A reader that stops reading must neither block the engine for others nor fill the memory.
      mostUnread: job.op === 'generate' ? MAX_UNREAD : Infinity,
      signal,
      onStop: () => {
        if (this.#jobs.delete(id)) this.#port.postMessage({ type: 'cancel', id });
      },
    });
    this.#jobs.set(id, { op: job.op, reader });
    this.#port.postMessage({ type: 'run', id, job });
    await reader.done;
  }

  /** @param reason - the error that running jobs get */
  close(reason?: ApiError): void {
    this.#port.postMessage({ type: 'bye' });
    this.#die(reason);
  }

  #watch(lock: string, { watch }: Liveness): void {
    watch(lock, () => this.#die(), this.#watching.signal);
  }

  /** Lets the host notice when this realm ends without saying so, as closed tabs do. */
  async #showLife({ hold }: Liveness): Promise<void> {
    const lock = `slashv1:client:${crypto.randomUUID()}`;
    const release = await hold(lock);
    if (!this.isGone) this.#port.postMessage({ type: 'hello', lock });
    await this.gone;
    release();
  }

  #receive(message: FromHost, liveness: Liveness): void {
    switch (message.type) {
      case 'hello':
        this.#lock ??= message.lock;
        this.#hung = message.hung;
        if (message.lock !== undefined) this.#watch(message.lock, liveness);
        this.#ready.resolve();
        break;
      case 'refused':
        this.#die(new ApiError(message.error));
        break;
      case 'event': {
        const { id, event } = message;
        const job = this.#jobs.get(id);
        if (job) job.waits = event.type === 'queued' && event.before > 0;
        job?.reader.push(event);
        break;
      }
      case 'done':
        this.#forget(message.id)?.end();
        break;
      case 'failed':
        this.#forget(message.id)?.fail(failure(message));
        break;
    }
  }

  #forget(id: number): JobReader<JobEvent> | undefined {
    const job = this.#jobs.get(id);
    this.#jobs.delete(id);
    return job?.reader;
  }

  #die(reason?: ApiError): void {
    if (this.#end) return;
    this.#end = reason ?? hostGone();
    const jobs = [...this.#jobs.values()];
    const working = workedOn(jobs);
    for (const job of jobs) job.reader.fail(reason ?? hostGone(working.includes(job)));
    this.#jobs.clear();
    this.#ready.reject(this.#end);
    this.#gone.resolve();
    this.#watching.abort();
    this.#port.close();
  }
}

function failure({ error, broken }: Extract<FromHost, { type: 'failed' }>): ApiError {
  return broken ? new EngineLost(error, { broke: true }) : new ApiError(error);
}

/**
 * The jobs that a host was working on when it ended, as far as their events tell. Before the first event, it reads the
 * prompt's template and compiles grammars: what hangs there stops all other jobs.
 */
function workedOn(jobs: readonly RunningJob[]): RunningJob[] {
  const begun = jobs.filter(({ op, waits }) => (op === 'generate' || op === 'tokens') && !waits);
  const silent = begun.filter(({ waits }) => waits === undefined);
  return silent.length > 0 ? silent : begun;
}

function hostGone(wasWorking = false): ApiError {
  const { data } = serverError('engine_error', 'The tab that ran the engine is gone.');
  return new EngineLost(data, { broke: false, wasWorking });
}
