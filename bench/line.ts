/** A line that timers have delayed may catch up by this much, milliseconds. */
const MAX_DELAY_MS = 20;

/** Payload of a gigabit line, bytes per second: the rest is frame overhead. */
export const GIGABIT = 117e6;

/** A network line with a limited speed, which all responses share. */
export class Line {
  readonly #bytesPerSecond: number;
  /** Time at which everything so far has been carried, on the clock of `performance.now()`. */
  #freeAt = 0;

  /** @param bytesPerSecond - undefined: no limit */
  constructor(bytesPerSecond = Number.POSITIVE_INFINITY) {
    this.#bytesPerSecond = bytesPerSecond;
  }

  /** Resolves when the line has carried so many bytes. */
  async carry(bytes: number): Promise<void> {
    const now = performance.now();
    // Timers fire late: without catching up, the line would be slower than its limit.
    const begin = Math.max(this.#freeAt, now - MAX_DELAY_MS);
    this.#freeAt = begin + (1000 * bytes) / this.#bytesPerSecond;
    const early = this.#freeAt - now;
    if (early > 1) await new Promise((resolve) => setTimeout(resolve, early));
  }
}
