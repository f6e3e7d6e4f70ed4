/** Things by the time at which they end, as a binary heap. */
export class Soonest<T extends { ends: number }> {
  readonly #heap: T[] = [];

  get size(): number {
    return this.#heap.length;
  }

  /** When the next one ends; infinite if there is none. */
  get ends(): number {
    return this.#endOf(0);
  }

  add(added: T): void {
    let at = this.#heap.push(added) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.#endOf(parent) <= added.ends) return;
      this.#swap(at, parent);
      at = parent;
    }
  }

  /** @returns undefined if there is none */
  next(): T | undefined {
    this.#swap(0, this.#heap.length - 1);
    const first = this.#heap.pop();
    this.#sink();
    return first;
  }

  #sink(): void {
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      const child = this.#endOf(left + 1) < this.#endOf(left) ? left + 1 : left;
      if (this.#endOf(child) >= this.#endOf(at)) return;
      this.#swap(at, child);
      at = child;
    }
  }

  #swap(a: number, b: number): void {
    const [one, other] = [this.#heap[a], this.#heap[b]];
    if (!one || !other) return;
    this.#heap[a] = other;
    this.#heap[b] = one;
  }

  #endOf(at: number): number {
    return this.#heap[at]?.ends ?? Number.POSITIVE_INFINITY;
  }
}
