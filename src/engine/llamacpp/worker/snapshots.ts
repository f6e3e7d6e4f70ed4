import { commonLength } from '../../../core/text/common-length.ts';
import type { Llama } from './llama.ts';
import { requireIntact } from './llama-error.ts';

/** The part of llama.cpp that snapshots need. */
export type SnapshotLlama = Pick<Llama, 'freeContext' | 'contextBytes' | 'copy'>;
/** Makes a context for this many tokens. @throws LlamaError if there is no memory for it */
export type NewContext = (tokens: number) => number | Promise<number>;

interface Snapshot {
  /** Number of llama.cpp's context. */
  context: number;
  tokens: readonly number[];
  client: string;
  bytes: number;
}

/**
 * Copies of KV caches at breakpoints. Each is a context that is just large enough. A prompt that begins with a copy's
 * tokens starts from it; for models whose state cannot be cut, that is the only way to share a beginning.
 */
export class Snapshots {
  readonly #llama: SnapshotLlama;
  readonly #newContext: NewContext;
  /** In the order of their last use. */
  #kept: Snapshot[] = [];

  constructor(llama: SnapshotLlama, newContext: NewContext) {
    this.#llama = llama;
    this.#newContext = newContext;
  }

  get bytes(): number {
    return this.#kept.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** The tokens of all copies. */
  get tokens(): number[] {
    return this.#kept.flatMap(({ tokens }) => [...tokens]);
  }

  /** The longest copy that a client's prompt goes beyond. */
  find(client: string, prompt: readonly number[]): Snapshot | undefined {
    const fitting = this.#kept.filter(
      ({ client: owner, tokens }) =>
        owner === client &&
        tokens.length < prompt.length &&
        commonLength(tokens, prompt) === tokens.length,
    );
    const [longest] = fitting.toSorted((a, b) => b.tokens.length - a.tokens.length);
    if (longest) this.#touch(longest);
    return longest;
  }

  /**
   * Keeps a copy of a context's KV cache, which holds exactly these tokens, in the place of those that were not used for
   * longest. Without room or memory, there is no copy.
   *
   * @param most - bytes of all copies
   * @returns whether the copy is kept and new
   */
  async keep(
    client: string,
    context: number,
    tokens: readonly number[],
    most: number,
  ): Promise<boolean> {
    const known = this.#kept.find(
      (each) =>
        each.client === client &&
        each.tokens.length === tokens.length &&
        commonLength(each.tokens, tokens) === tokens.length,
    );
    if (known) {
      this.#touch(known);
      return false;
    }
    let made: number | undefined;
    try {
      made = await this.#newContext(tokens.length);
      const bytes = this.#llama.contextBytes(made);
      if (bytes > most) {
        this.#llama.freeContext(made);
        return false;
      }
      while (this.bytes + bytes > most) this.#drop(this.#kept[0]);
      this.#llama.copy(context, made);
      this.#kept.push({ context: made, tokens: [...tokens], client, bytes });
      return true;
    } catch (error) {
      // There may be no memory for a copy; the contexts still work.
      requireIntact(error);
      if (made !== undefined) this.#llama.freeContext(made);
      return false;
    }
  }

  #touch(used: Snapshot): void {
    this.#kept = [...this.#kept.filter((each) => each !== used), used];
  }

  #drop(oldest: Snapshot | undefined): void {
    if (!oldest) return;
    this.#kept = this.#kept.filter((each) => each !== oldest);
    this.#llama.freeContext(oldest.context);
  }
}
