/** Keeps the results that were used last. */
export class Memory<T> {
  /** The result that was used last is at the end. */
  readonly #known = new Map<string, T>();
  readonly #capacity: number;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** The result for a key. Computes it if it is not kept. */
  get(key: string, compute: () => T): T {
    const known = this.#known.get(key);
    const result = known ?? compute();
    this.#known.delete(key);
    this.#known.set(key, result);
    const [oldest] = this.#known.keys();
    if (this.#known.size > this.#capacity && oldest !== undefined) this.#known.delete(oldest);
    return result;
  }
}
