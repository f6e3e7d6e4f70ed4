import { orAborted } from '../../core/async/or-aborted.ts';

interface Run<T> {
  result: Promise<T>;
  waiting: number;
  controller: AbortController;
}

/** Work that is done once for all who want the same: they wait for one run of it. */
export class SharedWork<T> {
  readonly #runs = new Map<string, Run<T>>();

  /**
   * Starts the work, or joins it. An abort of the signal leaves it, and only when the last one has
   * left, the work itself is aborted.
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

  /** Aborts the work: everyone who waits for it gets the reason. */
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

  /** Nobody can join what is ending: who comes now starts anew. */
  #end(key: string, run: Run<T>, reason: unknown): void {
    this.#forget(key, run);
    run.controller.abort(reason);
  }

  #forget(key: string, run: Run<T>): void {
    if (this.#runs.get(key) === run) this.#runs.delete(key);
  }
}
