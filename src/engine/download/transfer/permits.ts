import { orAborted } from '../../../core/async/or-aborted.ts';

/** Limits how many jobs run at a time. The others wait, first come, first served. */
export class Permits {
  #free: number;
  readonly #waiting: PromiseWithResolvers<void>[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /** The signal ends the wait. Once the work has begun, the work itself must handle the signal. */
  async use<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    await this.#enter(signal);
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  async #enter(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#free > 0) return void this.#free--;
    const turn = Promise.withResolvers<void>();
    this.#waiting.push(turn);
    try {
      await orAborted(turn.promise, signal);
    } catch (error) {
      const at = this.#waiting.indexOf(turn);
      // The permit may have been granted at the same moment.
      if (at === -1) this.#leave();
      else this.#waiting.splice(at, 1);
      throw error;
    }
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (next) next.resolve();
    else this.#free++;
  }
}
