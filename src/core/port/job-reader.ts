import { Unread } from '../errors/errors.ts';
import type { Take } from './engine.ts';

interface JobReaderOptions<E> {
  take: Take<E>;
  /** Stops the job. */
  signal: AbortSignal;
  /** How many events may wait. */
  mostUnread: number;
  /** Called when the job must be stopped, with the reason: an abort, an error of `take`, or too many events that wait. */
  onStop: (reason: unknown) => void;
}

/** Gives a job's events to their reader, one after the other. Events wait while the reader is busy with the one before. */
export class JobReader<E> {
  readonly #options: JobReaderOptions<E>;
  readonly #done = Promise.withResolvers<void>();
  readonly #unread: E[] = [];
  #isBusy = false;
  /** How the job has ended; undefined: it runs. */
  #end: { failure?: { error: unknown } } | undefined;

  /** Resolves or rejects as the job has ended, when all events are read. */
  readonly done: Promise<void>;

  constructor(options: JobReaderOptions<E>) {
    const { signal } = options;
    this.#options = options;
    const abort = () => this.#stop(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    this.done = this.#done.promise.finally(() => signal.removeEventListener('abort', abort));
  }

  push(event: E): void {
    if (this.#end) return;
    this.#unread.push(event);
    this.#read();
    if (this.#unread.length >= this.#options.mostUnread) this.#stop(new Unread());
  }

  /** The job is done. */
  end(): void {
    this.#end ??= {};
    this.#read();
  }

  fail(error: unknown): void {
    this.#end ??= { failure: { error } };
    this.#read();
  }

  #read(): void {
    while (!this.#isBusy) {
      const event = this.#unread.shift();
      if (event === undefined) return this.#settle();
      try {
        const reading = this.#options.take(event);
        if (reading) this.#waitFor(reading);
      } catch (error) {
        this.#refuse(error);
      }
    }
  }

  #waitFor(reading: Promise<void>): void {
    this.#isBusy = true;
    void reading
      .catch((error: unknown) => this.#refuse(error))
      .then(() => {
        this.#isBusy = false;
        this.#read();
      });
  }

  /** The reader wants no more events. */
  #refuse(error: unknown): void {
    this.#unread.length = 0;
    this.#end = undefined;
    this.#stop(error);
  }

  /** Cancels the job. The events that wait are still read. */
  #stop(error: unknown): void {
    this.fail(error);
    this.#options.onStop(error);
  }

  #settle(): void {
    if (!this.#end) return;
    const { failure } = this.#end;
    if (failure) this.#done.reject(failure.error);
    else this.#done.resolve();
  }
}
