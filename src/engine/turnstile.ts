import { rateLimited } from '../core/errors.ts';

/** How many jobs may wait for the GPU. */
const MAX_WAITING = 64;
/** Weight of the latest turn in the running mean of their durations. */
const SMOOTHING = 0.3;

/** One at a time, in order of arrival. Waiting can be aborted; an aborted one never gets its turn. */
export class Turnstile {
  readonly #waiting: (() => void)[] = [];
  readonly #maxWaiting: number;
  #busy = false;
  /** Mean duration of a turn, milliseconds. */
  #meanMs = 1_000;

  constructor(maxWaiting = MAX_WAITING) {
    this.#maxWaiting = maxWaiting;
  }

  /**
   * @returns the function that ends the turn
   * @throws ApiError 429 when too many are waiting, with the time after which one place will be free
   */
  async enter(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#busy) await this.#wait(signal);
    this.#busy = true;
    const begun = performance.now();
    return () => {
      this.#meanMs += SMOOTHING * (performance.now() - begun - this.#meanMs);
      this.#busy = false;
      this.#waiting.shift()?.();
    };
  }

  async #wait(signal: AbortSignal): Promise<void> {
    if (this.#waiting.length >= this.#maxWaiting) {
      throw rateLimited('Too many requests are waiting for the model.', this.#meanMs);
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    // Taken over at once, so that nobody else slips in before the awaiting code runs.
    const enter = () => {
      this.#busy = true;
      resolve();
    };
    const leave = () => {
      const index = this.#waiting.indexOf(enter);
      if (index >= 0) this.#waiting.splice(index, 1);
      reject(signal.reason);
    };
    this.#waiting.push(enter);
    signal.addEventListener('abort', leave, { once: true });
    try {
      await promise;
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }
}
