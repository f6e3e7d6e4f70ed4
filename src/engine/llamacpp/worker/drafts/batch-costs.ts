/** Measurements that count. Their median is taken, because another program may interrupt any of them. */
const LATEST = 15;
/** What a further token costs before it was measured, in tokens that are computed alone. */
const USUAL_SHARE = 0.4;
/** Measurements without which the usual value is taken. */
const FEWEST = 3;

/** What it costs to compute several tokens in one batch. */
export interface Costs {
  /** What each further token of a batch costs, in tokens that are computed alone. */
  readonly share: number;
  /** Notes how long a batch took. */
  note(tokens: number, milliseconds: number): void;
  /** An answer begins. */
  begin(): void;
}

/** Measures what batches cost. It depends on the type of the weights, on the device and on the number of threads. */
export class BatchCosts implements Costs {
  #alone: number[] = [];
  #shares: number[] = [];
  /** Numbers of tokens of which a batch was computed. */
  readonly #known = new Set<number>();

  get share(): number {
    return this.#shares.length < FEWEST ? USUAL_SHARE : median(this.#shares);
  }

  note(tokens: number, milliseconds: number): void {
    // For its first batch of a size, a GPU compiles its kernels.
    if (!this.#known.has(tokens)) this.#known.add(tokens);
    else if (tokens === 1) this.#alone = latest(this.#alone, milliseconds);
    else if (this.#alone.length > 0) {
      const share = (milliseconds / median(this.#alone) - 1) / (tokens - 1);
      this.#shares = latest(this.#shares, Math.max(0, share));
    }
  }

  /** A single token takes longer in a longer conversation. And one bad measurement must not end all drafts for ever. */
  begin(): void {
    this.#alone = [];
    this.#shares.shift();
  }
}

function latest(before: readonly number[], value: number): number[] {
  return [...before.slice(1 - LATEST), value];
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}
