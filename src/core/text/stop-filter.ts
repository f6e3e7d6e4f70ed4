/**
 * Cuts a streamed text before the first stop string, wherever the pieces are cut. The stop string
 * that is complete first counts; if several end at the same place, the longest. Only text that
 * could still become a stop string is held back.
 */
export class StopFilter {
  readonly #stops: readonly string[];
  #held = '';
  #stop: string | undefined;

  constructor(stops: readonly string[]) {
    this.#stops = stops.filter((stop) => stop !== '');
  }

  /** Whether a stop string was found; the rest of the text no longer matters. */
  get stopped(): boolean {
    return this.#stop !== undefined;
  }

  /** The stop string that was found. */
  get stop(): string | undefined {
    return this.#stop;
  }

  /** @returns the text that can be emitted now */
  push(text: string): string {
    if (this.stopped) return '';
    const all = this.#held + text;
    const found = this.#firstStop(all);
    this.#stop = found?.stop;
    const emit = found?.start ?? all.length - this.#heldLength(all);
    this.#held = this.stopped ? '' : all.slice(emit);
    return all.slice(0, emit);
  }

  /** @returns what was held back, if the text ends without a stop string */
  flush(): string {
    const held = this.#held;
    this.#held = '';
    return held;
  }

  #firstStop(text: string): { stop: string; start: number } | undefined {
    const found = this.#stops
      .map((stop) => ({ stop, start: text.indexOf(stop) }))
      .filter(({ start }) => start >= 0)
      .map(({ stop, start }) => ({ stop, start, end: start + stop.length }))
      .sort((a, b) => a.end - b.end || a.start - b.start);
    return found[0];
  }

  #heldLength(text: string): number {
    return Math.max(0, ...this.#stops.map((stop) => overlap(text, stop)));
  }
}

/** Length of the longest suffix of the text that is a proper prefix of the mark. */
export function overlap(text: string, mark: string): number {
  for (let length = Math.min(mark.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(mark.slice(0, length))) return length;
  }
  return 0;
}
