import { orAborted } from '../../../core/async/or-aborted.ts';

interface Run<T> {
  result: Promise<T>;
  waiting: number;
  controller: AbortController;
}

/** Work that runs once for all callers that want the same. */
export class SharedWork<T> {
  readonly #runs = new Map<string, Run<T>>();

  /**
   * Starts the work, or waits for the run that another caller started. The signal only ends the wait;
   * the work is aborted when no caller waits for it any more.
   */
  async join(
    key: string,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    signal.throwIfAborted();
    const run = this.#runs.get(key) ?? this.#start(key, work);
    run.waiting++;
    try {
      return await orAborted(run.result, signal);
    } finally {
      if (--run.waiting === 0) this.#end(key, run, signal.reason);
    }
  }

  /** Aborts the work. Every waiting caller gets the reason as its error. */
  stop(key: string, reason: unknown): void {
    const run = this.#runs.get(key);
    if (run) this.#end(key, run, reason);
  }

  #start(key: string, work: (signal: AbortSignal) => Promise<T>): Run<T> {
    const controller = new AbortController();
    const run = { result: work(controller.signal), waiting: 0, controller };
    this.#runs.set(key, run);
    const forget = () => this.#forget(key, run);
    run.result.then(forget, forget);
    return run;
  }

  /** A run that is ending cannot be joined: the next caller starts a new one. */
  #end(key: string, run: Run<T>, reason: unknown): void {
    this.#forget(key, run);
    run.controller.abort(reason);
  }

  #forget(key: string, run: Run<T>): void {
    if (this.#runs.get(key) === run) this.#runs.delete(key);
  }
}
