/** More threads must make a step this much faster, as a part of its time: they take the cores from others. */
const WORTH_IT = 0.9;
/** A number of threads with which a step takes this many times as long as with fewer is given up at once. */
const HOPELESS = 2;
/** If steps take this many times as long as when the number was chosen, it is chosen again. */
const SLOWED = 1.5;
/** How many steps in a row must be that slow. A single one may have been disturbed. */
const SLOW_STEPS = 4;
/** After this many steps with fewer threads than there could be, more are tried again. */
const PATIENCE = 256;
/** The patience grows with each choice that changed nothing, up to this. */
const MOST_PATIENCE = 4096;

/** A number of threads whose steps are being measured. */
interface Trial {
  threads: number;
  /** Milliseconds. */
  times: number[];
}

/**
 * Chooses how many threads compute a step, by the time that steps take. Cores are not counted: threads of
 * llama.cpp wait for each other by spinning, so on a busy machine two of them can be slower than one by far.
 */
export class ThreadChoice {
  readonly #counts: readonly number[];
  readonly #samples: number;
  #trial: Trial | undefined;
  /** The fastest so far; its time in milliseconds. */
  #best = { threads: 1, ms: Infinity };
  #slowSteps = 0;
  #steps = 0;
  #patience = PATIENCE;

  /**
   * @param most - threads that there could be
   * @param samples - steps that are measured with each number of threads
   */
  constructor(most: number, samples: number) {
    this.#counts = countsUpTo(most);
    this.#samples = samples;
    if (most > 1) this.#trial = { threads: 1, times: [] };
  }

  /** For the next step. */
  get threads(): number {
    return (this.#trial ?? this.#best).threads;
  }

  /** @param ms - time that a step took with `threads` */
  note(ms: number): void {
    if (this.#counts.length === 1) return;
    if (this.#trial) this.#try(this.#trial, ms);
    else this.#watch(ms);
  }

  #try(trial: Trial, ms: number): void {
    trial.times.push(ms);
    const isHopeless = ms > HOPELESS * this.#best.ms;
    if (trial.times.length < this.#samples && !isHopeless) return;
    const fastest = Math.min(...trial.times);
    const isBetter = fastest < WORTH_IT * this.#best.ms;
    if (isBetter) this.#best = { threads: trial.threads, ms: fastest };
    const next = this.#counts[this.#counts.indexOf(trial.threads) + 1];
    if (isBetter && next !== undefined) this.#trial = { threads: next, times: [] };
    else this.#settle();
  }

  #settle(): void {
    this.#trial = undefined;
    this.#slowSteps = 0;
    this.#steps = 0;
  }

  #watch(ms: number): void {
    this.#steps++;
    this.#slowSteps = ms > SLOWED * this.#best.ms ? this.#slowSteps + 1 : 0;
    const hasMore = this.#best.threads < (this.#counts.at(-1) ?? 1);
    if (this.#slowSteps >= SLOW_STEPS) this.#begin();
    else if (hasMore && this.#steps >= this.#patience) {
      this.#patience = Math.min(2 * this.#patience, MOST_PATIENCE);
      this.#begin();
    }
  }

  #begin(): void {
    this.#best = { threads: 1, ms: Infinity };
    this.#trial = { threads: 1, times: [] };
  }
}

/** 1, 2, 4 and so on, and the most. */
function countsUpTo(most: number): number[] {
  const counts: number[] = [];
  for (let count = 1; count < most; count *= 2) counts.push(count);
  return [...counts, most];
}
