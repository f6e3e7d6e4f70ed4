/** Runs tasks one after the other. */
export class TaskQueue {
  /** Settles when all tasks so far have ended. */
  #last: Promise<unknown> = Promise.resolve();

  /** Runs a task when all tasks before it have ended. @throws the signal's reason if it is aborted before the task begins */
  run<T>(task: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const run = this.#last.then(() => {
      signal.throwIfAborted();
      return task();
    });
    this.#last = run.catch(() => undefined);
    return run;
  }
}
