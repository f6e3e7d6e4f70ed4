import { ApiError, EngineLost, serverError, Unread } from './errors.ts';
import type { Engine, FromHost, Job, JobEvent, ToHost } from './engine.ts';
import { EventQueue } from '../async/event-queue.ts';
import { webLocks, type Liveness } from './web-lock.ts';

/**
 * How many events of a generation may wait for who reads them. Most tokens have two, so that this is
 * more than any reader lags behind that still reads.
 */
const MAX_UNREAD = 1_000;

interface RunningJob {
  queue: EventQueue<JobEvent>;
  /** Another run can give the same again. */
  isRepeatable: boolean;
}

/** The client's end of a port to the engine host: jobs out, events in. */
export class EngineClient implements Engine {
  readonly #port: MessagePort;
  readonly #jobs = new Map<number, RunningJob>();
  readonly #ready = Promise.withResolvers<void>();
  readonly #gone = Promise.withResolvers<void>();
  /** Aborts when the host is gone: nobody watches its lock any more. */
  readonly #watching = new AbortController();
  #nextId = 1;
  /** Why the host is gone; undefined while it lives. */
  #end: ApiError | undefined;

  /** @param lock - Web Lock that the host holds as long as it lives; undefined where it says so itself */
  constructor(port: MessagePort, lock?: string, liveness: Liveness = webLocks) {
    this.#port = port;
    if (lock !== undefined) this.#watch(lock, liveness);
    // Not everyone waits for it.
    this.#ready.promise.catch(() => undefined);
    port.onmessage = ({ data }: MessageEvent<FromHost>) => this.#receive(data, liveness);
    // Where it cannot, the host learns of an end that was not announced only when the jobs are over.
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

  /** @throws Unread when too much of a generation has not been read, after all of that */
  async *run(job: Job, signal: AbortSignal): AsyncGenerator<JobEvent, void, undefined> {
    signal.throwIfAborted();
    if (this.#end) throw this.#end;
    const id = this.#nextId++;
    const queue = new EventQueue<JobEvent>();
    this.#jobs.set(id, { queue, isRepeatable: job.op === 'generate' });
    const cancel = () => {
      queue.fail(signal.reason);
      this.#send({ type: 'cancel', id });
    };
    signal.addEventListener('abort', cancel, { once: true });
    this.#send({ type: 'run', id, job });
    let finished = false;
    try {
      yield* queue;
      finished = true;
    } finally {
      signal.removeEventListener('abort', cancel);
      // A consumer that stops reading early has to stop the engine too.
      if (!finished && this.#jobs.has(id) && !signal.aborted) this.#send({ type: 'cancel', id });
      this.#jobs.delete(id);
    }
  }

  /** @param reason - what the jobs that still run fail with */
  close(reason?: ApiError): void {
    this.#send({ type: 'bye' });
    this.#die(reason);
  }

  #watch(lock: string, { watch }: Liveness): void {
    watch(lock, () => this.#die(), this.#watching.signal);
  }

  /** Lets the host notice when this realm ends without a word, as closed tabs do. */
  async #showLife({ hold }: Liveness): Promise<void> {
    const lock = `slashv1:client:${crypto.randomUUID()}`;
    const release = await hold(lock);
    if (!this.isGone) this.#send({ type: 'hello', lock });
    await this.gone;
    release();
  }

  #send(message: ToHost): void {
    this.#port.postMessage(message);
  }

  #receive(message: FromHost, liveness: Liveness): void {
    switch (message.type) {
      case 'hello':
        if (message.lock !== undefined) this.#watch(message.lock, liveness);
        this.#ready.resolve();
        break;
      case 'refused':
        this.#die(new ApiError(message.error));
        break;
      case 'event':
        this.#take(message.id, message.event);
        break;
      case 'done':
        this.#settle(message.id, (queue) => queue.end());
        break;
      case 'failed':
        this.#settle(message.id, (queue) => queue.fail(failure(message)));
        break;
    }
  }

  /** Who does not read must neither keep the engine from others nor fill the memory. */
  #take(id: number, event: JobEvent): void {
    const job = this.#jobs.get(id);
    job?.queue.push(event);
    if (!job?.isRepeatable || job.queue.length < MAX_UNREAD) return;
    this.#send({ type: 'cancel', id });
    this.#settle(id, (queue) => queue.fail(new Unread()));
  }

  #settle(id: number, settle: (queue: EventQueue<JobEvent>) => void): void {
    const job = this.#jobs.get(id);
    this.#jobs.delete(id);
    if (job) settle(job.queue);
  }

  #die(reason = hostGone()): void {
    if (this.#end) return;
    this.#end = reason;
    for (const { queue } of this.#jobs.values()) queue.fail(reason);
    this.#jobs.clear();
    this.#ready.reject(reason);
    this.#gone.resolve();
    this.#watching.abort();
    this.#port.close();
  }
}

function failure({ error, broken }: Extract<FromHost, { type: 'failed' }>): ApiError {
  return broken ? new EngineLost(error, { broke: true }) : new ApiError(error);
}

function hostGone(): ApiError {
  const { data } = serverError('engine_error', 'The tab that ran the engine is gone.');
  return new EngineLost(data, { broke: false });
}
