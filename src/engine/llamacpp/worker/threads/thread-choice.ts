/** How many threads are tried first. */
const FIRST = 2;
/** More threads must cut a step's time to less than this part of it: they take cores from other work. */
const WORTH_IT = 0.9;
/** A number of threads is given up if a step takes this many times as long as with the best number so far. */
const HOPELESS = 2;
/** If steps take this many times as long as when the number was chosen, it is chosen again. */
const SLOWED = 1.5;
/** How many steps in a row must be that slow. A single one may have been disturbed. */
const SLOW_STEPS = 4;
/** After this many steps with fewer threads than there could be, more are tried again. */
const PATIENCE = 256;
/** The patience doubles each time that more threads are tried again, up to this. */
const MOST_PATIENCE = 4096;

/** How fast a number of threads is. */
interface Speed {
  threads: number;
  /** Milliseconds that a step took. */
  ms: number;
}

/** A number of threads whose steps are being measured. */
interface Trial {
  threads: number;
  /** Milliseconds. */
  times: number[];
}

/**
 * Chooses how many threads compute a step, by the time that steps take. Cores are not counted: threads of
 * llama.cpp wait for each other, so on a busy machine two of them can be slower than one.
 *
 * Two threads are tried first: they take a third less time on an idle machine, and on a busy one a sixth more. One
 * thread is tried only if more than two are no better.
 */
export class ThreadChoice {
  readonly #most: number;
  readonly #samples: number;
  #trial: Trial | undefined;
  /** The fastest number that was tried; undefined if none was. */
  #best: Speed | undefined;
  /** The number that was chosen last. */
  #chosen: number;
  #slowSteps = 0;
  #steps = 0;
  #patience = PATIENCE;

  /**
   * @param most - threads that there could be
   * @param samples - steps that are measured with each number of threads
   */
  constructor(most: number, samples: number) {
    this.#most = most;
    this.#samples = samples;
    this.#chosen = Math.min(FIRST, most);
    this.#begin();
  }

  /** The number of threads for a step whose time is noted. */
  get threads(): number {
    return this.#trial?.threads ?? this.#chosen;
  }

  /** The number of threads for a step that is not comparable with others, so that no trial uses it. */
  get chosen(): number {
    return this.#chosen;
  }

  /** @param ms - time that a step took with `threads` */
  note(ms: number): void {
    if (this.#most === 1) return;
    if (this.#trial) this.#try(this.#trial, ms);
    else if (this.#best) this.#watch(this.#best, ms);
  }

  #try(trial: Trial, ms: number): void {
    trial.times.push(ms);
    const isHopeless = this.#best && ms > HOPELESS * this.#best.ms;
    if (trial.times.length < this.#samples && !isHopeless) return;
    const tried = { threads: trial.threads, ms: Math.min(...trial.times) };
    const isBetter = !this.#best || isWorthIt(tried, this.#best);
    if (isBetter) this.#best = tried;
    const next = this.#next(tried.threads, isBetter);
    if (next === undefined) this.#settle(this.#best ?? tried);
    else this.#trial = { threads: next, times: [] };
  }

  /** The number to try after another one; undefined: the best is known. */
  #next(tried: number, isBetter: boolean): number | undefined {
    if (tried === 1) return undefined;
    if (isBetter && tried < this.#most) return Math.min(2 * tried, this.#most);
    return this.#best?.threads === FIRST ? 1 : undefined;
  }

  #settle({ threads }: Speed): void {
    // The machine has changed, so it may soon change back.
    if (threads !== this.#chosen) this.#patience = PATIENCE;
    this.#chosen = threads;
    this.#trial = undefined;
    this.#slowSteps = 0;
    this.#steps = 0;
  }

  #watch(best: Speed, ms: number): void {
    this.#steps++;
    this.#slowSteps = ms > SLOWED * best.ms ? this.#slowSteps + 1 : 0;
    const hasMore = best.threads < this.#most;
    if (this.#slowSteps >= SLOW_STEPS) this.#beginSlowed(best.threads, ms);
    else if (hasMore && this.#steps >= this.#patience) {
      this.#patience = Math.min(2 * this.#patience, MOST_PATIENCE);
      this.#begin();
    }
  }

  /** @param ms - time of a step with these threads now */
  #beginSlowed(threads: number, ms: number): void {
    this.#begin();
    if (threads !== FIRST) return;
    this.#best = { threads, ms };
    this.#trial = { threads: 1, times: [] };
  }

  #begin(): void {
    this.#best = undefined;
    this.#trial = { threads: Math.min(FIRST, this.#most), times: [] };
  }
}

/** Whether `a` is better than `b`. More threads must be faster by a good part. */
function isWorthIt(a: Speed, b: Speed): boolean {
  return a.threads > b.threads ? a.ms < WORTH_IT * b.ms : !isWorthIt(b, a);
}
