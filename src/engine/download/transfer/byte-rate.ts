/** Bytes per second over the last few seconds: long enough to be steady, short enough to be current. */
export class ByteRate {
  static readonly #WINDOW_MS = 4000;
  readonly #samples: { at: number; bytes: number }[] = [];

  /** @param at - milliseconds, increasing. A count below the last one restarts the measurement. */
  add(bytes: number, at: number): void {
    const last = this.#samples.at(-1);
    if (last && bytes < last.bytes) this.#samples.length = 0;
    this.#samples.push({ at, bytes });
    while (this.#isOld(at)) this.#samples.shift();
  }

  /** 0 until two samples are half a second apart. */
  get bytesPerSecond(): number {
    const first = this.#samples.at(0);
    const last = this.#samples.at(-1);
    if (!first || !last || last.at - first.at < 500) return 0;
    return ((last.bytes - first.bytes) / (last.at - first.at)) * 1000;
  }

  #isOld(now: number): boolean {
    const second = this.#samples.at(1);
    return second !== undefined && now - second.at > ByteRate.#WINDOW_MS;
  }
}
