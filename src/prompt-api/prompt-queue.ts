import { orAborted } from '../core/async/or-aborted.ts';

/** Runs the prompts of a session one after the other. */
export class PromptQueue {
  /** Settles when all prompts so far have ended. */
  #last: Promise<unknown> = Promise.resolve();

  /** Runs a task when all tasks before it have ended. @throws the signal's reason as soon as it is aborted */
  run<T>(task: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const run = this.#last.then(() => {
      signal.throwIfAborted();
      return task();
    });
    this.#last = run.catch(() => undefined);
    return orAborted(run, signal);
  }
}
