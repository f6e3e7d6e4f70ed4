/**
 * An async iterable that is filled from outside: `push` in order, then `end` or `fail` once.
 * For a single consumer; items wait until it asks for them.
 */
export class EventQueue<T> implements AsyncIterableIterator<T> {
  readonly #items: T[] = [];
  #finished = false;
  #failure: { error: unknown } | undefined;
  #wake: (() => void) | undefined;

  /** How many items wait. */
  get length(): number {
    return this.#items.length;
  }

  push(item: T): void {
    if (this.#finished) return;
    this.#items.push(item);
    this.#wake?.();
  }

  end(): void {
    this.#finished = true;
    this.#wake?.();
  }

  /** Items that were pushed before are still delivered, then the iterator throws. */
  fail(error: unknown): void {
    if (this.#finished) return;
    this.#failure = { error };
    this.end();
  }

  async next(): Promise<IteratorResult<T, undefined>> {
    for (;;) {
      if (this.#items.length > 0) {
        const [value] = this.#items.splice(0, 1);
        if (value !== undefined) return { value, done: false };
      }
      if (this.#failure) throw this.#failure.error;
      if (this.#finished) return { value: undefined, done: true };
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
