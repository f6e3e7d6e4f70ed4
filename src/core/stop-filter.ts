/**
 * Cuts a text that comes in pieces before the first of the stop strings, wherever the borders of
 * the pieces fall. What could still become a stop string is held back, and nothing else.
 */
export class StopFilter {
  readonly #stops: readonly string[];
  #held = '';
  #stopped = false;

  constructor(stops: readonly string[]) {
    this.#stops = stops.filter((stop) => stop !== '');
  }

  /** Whether a stop string has been found: the rest of the text does not matter any more. */
  get stopped(): boolean {
    return this.#stopped;
  }

  /** @returns the text that is certain to be emitted now */
  push(text: string): string {
    if (this.#stopped) return '';
    const all = this.#held + text;
    const end = this.#firstStop(all);
    this.#stopped = end !== undefined;
    const emit = end ?? all.length - this.#heldLength(all);
    this.#held = this.#stopped ? '' : all.slice(emit);
    return all.slice(0, emit);
  }

  /** @returns what was held back, when the text ends without a stop string */
  flush(): string {
    const held = this.#held;
    this.#held = '';
    return held;
  }

  #firstStop(text: string): number | undefined {
    const found = this.#stops.map((stop) => text.indexOf(stop)).filter((at) => at >= 0);
    return found.length > 0 ? Math.min(...found) : undefined;
  }

  /** Length of the longest end of the text that begins a stop string. */
  #heldLength(text: string): number {
    const lengths = this.#stops.map((stop) => {
      for (let n = Math.min(stop.length - 1, text.length); n > 0; n--) {
        if (text.endsWith(stop.slice(0, n))) return n;
      }
      return 0;
    });
    return Math.max(0, ...lengths);
  }
}
