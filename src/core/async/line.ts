/** Lets a number of tasks run at once. Others wait in the order in which they come. */
export class Line {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  /** @param places - how many run at once */
  constructor(places: number) {
    this.#free = places;
  }

  /** Does the work when it has a place. @throws the signal's reason if it is aborted before that */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.#enter();
    try {
      signal?.throwIfAborted();
      return await work();
    } finally {
      this.#leave();
    }
  }

  /** Within `run`: if others wait, gives them the place, and waits for another one. */
  async makeWay(): Promise<void> {
    if (this.#waiting.length === 0) return;
    const again = this.#enter();
    this.#leave();
    await again;
  }

  #enter(): Promise<void> {
    if (this.#free === 0) return new Promise((resolve) => this.#waiting.push(resolve));
    this.#free--;
    return Promise.resolve();
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free++;
  }
}
