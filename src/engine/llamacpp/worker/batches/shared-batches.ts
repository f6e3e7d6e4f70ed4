import { Line } from '../../../../core/async/line.ts';
import type { Costs } from '../drafts/batch-costs.ts';
import { requireIntact } from '../llama-error.ts';
import type { Decoder } from '../prompts/read-prompt.ts';
import type { Batch } from './batch.ts';
import type { Slices } from './slices.ts';

/** Slices of a prompt that are computed before another prompt has its turn: they take about a second. */
const SLICES = 8;

/** Tokens that an answer waits for. */
interface Wanted {
  batch: Batch;
  resolve: (isWhole: boolean) => void;
  reject: (error: unknown) => void;
}

/**
 * Computes what the answers of a model need. Answers that are being written get their next tokens from one batch, which
 * is computed when all of them have chosen theirs. In between, a slice of one prompt is read.
 */
export class SharedBatches {
  readonly #decoder: Pick<Decoder, 'decodeTogether'>;
  readonly #costs: Costs;
  /** One prompt is read at a time: the next one may begin alike, and then takes a copy. */
  readonly #prompts = new Line(1);
  /** How many answers are being written. */
  #writers = 0;
  #wanted: Wanted[] = [];
  /** Slices of prompts that wait. None rejects. */
  readonly #slices: (() => Promise<void>)[] = [];
  #isComputing = false;
  /** Whether the answers have had a batch since the last slice. */
  #isSlicesTurn = false;
  /** Whether llama.cpp can't compute a batch of several answers. */
  #isApart = false;

  constructor(decoder: Pick<Decoder, 'decodeTogether'>, costs: Costs) {
    this.#decoder = decoder;
    this.#costs = costs;
  }

  /** How many answers are being written. */
  get writers(): number {
    return this.#writers;
  }

  /** Calls `work`, which reads a prompt, at the prompt's turn. Other prompts may have turns between its slices. */
  reading<T>(work: (slices: Slices) => Promise<T>): Promise<T> {
    let computed = 0;
    const compute: Slices['compute'] = (slice) => {
      computed++;
      return this.#slice(slice);
    };
    const makeWay = async () => {
      if (computed < SLICES) return;
      computed = 0;
      await this.#prompts.makeWay();
    };
    return this.#prompts.run(() => work({ compute, makeWay }));
  }

  /** Writes an answer, which gets its tokens from `compute`. */
  async writing<T>(write: () => Promise<T>): Promise<T> {
    this.#writers++;
    try {
      return await write();
    } finally {
      this.#writers--;
      void this.#compute();
    }
  }

  /**
   * Computes tokens of an answer, when all others wait for theirs. All have logits, until the next batch.
   *
   * @returns whether all are computed; if not, only the first one counts
   */
  compute(batch: Batch): Promise<boolean> {
    const { promise, resolve, reject } = Promise.withResolvers<boolean>();
    this.#wanted.push({ batch, resolve, reject });
    void this.#compute();
    return promise;
  }

  #slice<T>(slice: () => T | Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.#slices.push(async () => {
      try {
        resolve(await slice());
      } catch (error) {
        reject(error);
      }
    });
    void this.#compute();
    return promise;
  }

  /** Never rejects. */
  async #compute(): Promise<void> {
    if (this.#isComputing) return;
    this.#isComputing = true;
    while (this.#wanted.length === this.#writers) {
      const slice = this.#isSlicesTurn || this.#writers === 0 ? this.#slices.shift() : undefined;
      this.#isSlicesTurn = slice === undefined;
      if (slice) await slice();
      else if (this.#writers > 0) await this.#step();
      else break;
    }
    this.#isComputing = false;
  }

  async #step(): Promise<void> {
    const wanted = this.#wanted;
    this.#wanted = [];
    const batches = wanted.map(({ batch }) => batch);
    const tokens = batches.reduce((sum, batch) => sum + batch.tokens.length, 0);
    try {
      const begun = performance.now();
      const isWhole = await this.#decode(batches);
      if (isWhole && (batches.length === 1 || !this.#isApart)) {
        this.#costs.note(tokens, performance.now() - begun);
      }
      for (const { resolve } of wanted) resolve(isWhole);
    } catch (error) {
      for (const { reject } of wanted) reject(error);
    }
  }

  async #decode(batches: readonly Batch[]): Promise<boolean> {
    if (batches.length === 1 || !this.#isApart) {
      try {
        return await this.#decoder.decodeTogether(batches);
      } catch (error) {
        if (batches.length === 1) throw error;
        // The architecture may not permit it, or memory may be short; one by one they still work.
        requireIntact(error);
        this.#isApart = true;
      }
    }
    let isWhole = true;
    for (const batch of batches) {
      if (!(await this.#decoder.decodeTogether([batch]))) isWhole = false;
    }
    return isWhole;
  }
}
