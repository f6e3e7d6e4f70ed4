import { BATCH_TOKENS } from '../../../../core/files/gguf/gguf-memory.ts';
import type { Batch } from '../batches/batch.ts';
import { MOST_OUTPUTS, type Llama } from '../llama.ts';
import type { Decoder } from '../prompts/read-prompt.ts';
import { ThreadChoice } from './thread-choice.ts';

/** Steps that are measured with each number of threads. A batch takes as long as twenty tokens. */
const BATCHES = 1;
const TOKENS = 4;

type ThreadedLlama = Pick<
  Llama,
  | 'beginPrefill'
  | 'continuePrefill'
  | 'decode'
  | 'decodeImage'
  | 'decodeTogether'
  | 'encode'
  | 'setThreads'
  | 'warmUp'
>;

/** The beginning of a prompt, which is computed while weights arrive. */
interface Begun {
  context: number;
  tokens: readonly number[];
  wantsLogits: boolean;
  /** Whether all of it is computed. */
  isDone: boolean;
}

interface ThreadOptions {
  /** Threads that the module has. */
  mostThreads: number;
  /** How many the site wants; undefined: the fastest number. */
  threads: number | undefined;
}

/** Computes tokens, with as many threads as are fastest. */
export class ThreadedDecoder implements Decoder {
  readonly batchSize = BATCH_TOKENS;
  readonly #llama: ThreadedLlama;
  readonly #threads: number | undefined;
  readonly #forBatches: ThreadChoice;
  readonly #forTokens: ThreadChoice;
  #begun: Begun | undefined;

  constructor(llama: ThreadedLlama, { mostThreads, threads }: ThreadOptions) {
    this.#llama = llama;
    this.#threads = threads === undefined ? undefined : Math.min(threads, mostThreads);
    this.#forBatches = new ThreadChoice(mostThreads, BATCHES);
    this.#forTokens = new ThreadChoice(mostThreads, TOKENS);
  }

  /** Calls `Llama.warmUp` with a whole batch. */
  warmUp(context: number, milliseconds: number): void {
    this.#llama.setThreads(context, this.#threads ?? this.#forBatches.chosen);
    this.#llama.warmUp(context, this.batchSize, milliseconds);
  }

  /** Like `Llama.beginPrefill`. If these tokens are decoded next, only the remaining steps are computed. */
  beginPrefill(context: number, tokens: readonly number[], wantsLogits: boolean): void {
    this.#llama.beginPrefill(context, tokens, wantsLogits);
    this.#begun = { context, tokens, wantsLogits, isDone: false };
  }

  /** Like `Llama.continuePrefill`, if a prefill has begun. */
  continuePrefill(missing: readonly number[]): void {
    const begun = this.#begun;
    if (!begun || begun.isDone) return;
    // While weights arrive, the download keeps the other cores busy, and one thread computes faster than they arrive.
    const threads = missing.length > 0 ? 1 : (this.#threads ?? this.#forBatches.chosen);
    begun.isDone = this.#llama.continuePrefill(begun.context, missing, threads) === 0;
  }

  /** Like `Llama.encode`. */
  encode(milliseconds: number): number {
    return this.#llama.encode(milliseconds, this.#threads ?? this.#forBatches.chosen);
  }

  /** Like `Llama.decodeImage`. */
  decodeImage(...batch: Parameters<Llama['decodeImage']>): void {
    this.#begun = undefined;
    this.#llama.setThreads(batch[0], this.#threads ?? this.#forBatches.chosen);
    this.#llama.decodeImage(...batch);
  }

  /** Like `Llama.decode`. */
  decode(context: number, tokens: readonly number[], position: number, outputs: number): void {
    if (this.#isBegun(context, tokens, position, outputs)) {
      this.continuePrefill([]);
      this.#begun = undefined;
      return;
    }
    const choice = tokens.length === 1 ? this.#forTokens : this.#forBatches;
    // Smaller batches take longer for each of their tokens.
    const isComparable = tokens.length === 1 || tokens.length === this.batchSize;
    this.#compute(context, choice, isComparable, () =>
      this.#llama.decode(context, tokens, position, outputs),
    );
  }

  mostAhead(): number {
    return MOST_OUTPUTS - 1;
  }

  /** Like `Llama.decodeTogether`. */
  decodeTogether(batches: readonly Batch[]): true {
    const [first, ...others] = batches;
    if (!first) return true;
    const isComparable = others.length === 0 && first.tokens.length === 1;
    this.#compute(first.context, this.#forTokens, isComparable, () =>
      this.#llama.decodeTogether(batches),
    );
    return true;
  }

  /** @param isComparable - whether the time that it takes tells how fast the threads are */
  #compute(context: number, choice: ThreadChoice, isComparable: boolean, work: () => void): void {
    this.#begun = undefined;
    this.#llama.setThreads(
      context,
      this.#threads ?? (isComparable ? choice.threads : choice.chosen),
    );
    const begun = performance.now();
    work();
    if (isComparable) choice.note(performance.now() - begun);
  }

  #isBegun(...[context, tokens, position, outputs]: Parameters<Llama['decode']>): boolean {
    const begun = this.#begun;
    return (
      position === 0 &&
      begun?.context === context &&
      begun.wantsLogits === outputs > 0 &&
      begun.tokens.length === tokens.length &&
      begun.tokens.every((token, place) => token === tokens[place])
    );
  }
}
