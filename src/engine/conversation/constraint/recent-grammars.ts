interface Disposable {
  dispose(): void;
}

/** Characters of keys. A compiled grammar takes up to 100 times as many bytes. */
const CAPACITY = 500_000;

/** Keeps the compiled grammars that were used last, and frees the others. */
export class RecentGrammars<Grammar extends Disposable> {
  /** By the text that was compiled; the one used last is at the end. */
  readonly #known = new Map<string, Grammar>();
  #size = 0;

  /** Returns the grammar of a text; compiles it if the cache does not have it. The cache owns the grammar. */
  async get(text: string, compile: () => Promise<Grammar>): Promise<Grammar> {
    const grammar = this.#known.get(text) ?? (await compile());
    const before = this.#known.get(text);
    if (before) this.#forget(text, before === grammar ? undefined : before);
    this.#known.set(text, grammar);
    this.#size += text.length;
    this.#forgetOldest(text);
    return grammar;
  }

  /** Frees all of them. */
  clear(): void {
    for (const [text, grammar] of this.#known) this.#forget(text, grammar);
  }

  #forgetOldest(newest: string): void {
    for (const [oldest, grammar] of this.#known) {
      if (this.#size <= CAPACITY || oldest === newest) return;
      this.#forget(oldest, grammar);
    }
  }

  #forget(text: string, freed?: Grammar): void {
    this.#known.delete(text);
    this.#size -= text.length;
    freed?.dispose();
  }
}
