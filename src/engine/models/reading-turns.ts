import { totalWrites, type CacheWrites } from '../../core/operations/prompt-caching.ts';
import type { PromptProgress, PromptUsage } from '../../core/operations/events/events.ts';
import type { EmitRaw } from '../conversation/text-model.ts';

/** How long a prompt is read before other requests may take a turn, milliseconds. */
const READING_MS = 1_000;
/** If fewer tokens than this are left, they are read without another break. */
const SHORT_REST = 64;

/**
 * Divides the reading of one long prompt into turns. After each turn, waiting requests are answered first. The tokens
 * that were read stay in the KV cache. If another request takes that cache, the prompt is read again, this time in one
 * turn, so that its reading ends at some point.
 */
export class ReadingTurns {
  readonly #isWanted: () => boolean;
  #begun = 0;
  /** Tokens that were read at the end of the last turn. */
  #read = 0;
  /** Whether another break is possible: the KV cache has kept the beginning, and the answer has not begun. */
  #isDivisible = true;
  #needsAnother = false;
  /** Tokens that the KV cache held before the first turn; undefined: the first turn has not ended yet. */
  #cached: number | undefined;
  /** What earlier turns have put into copies. */
  readonly #writes: (CacheWrites | undefined)[] = [];

  /** @param isWanted - whether a request waits that may take its turn now */
  constructor(isWanted: () => boolean) {
    this.#isWanted = isWanted;
  }

  /** Whether the last turn ended before the whole prompt was read. */
  get needsAnother(): boolean {
    return this.#needsAnother;
  }

  /**
   * Generates for one turn. If other requests should take theirs, the turn ends before the answer begins.
   *
   * @param generate - generates until its signal aborts
   */
  async turn(
    generate: (signal: AbortSignal, emit: EmitRaw) => Promise<void>,
    signal: AbortSignal,
    emit: EmitRaw,
  ): Promise<void> {
    this.#begun = performance.now();
    this.#needsAnother = false;
    const making = new AbortController();
    const take: EmitRaw = (event, interrupt) => {
      if (this.#needsAnother) return;
      switch (event.type) {
        case 'progress':
          emit(event.read ? { ...event, read: this.#counted(event.read) } : event, interrupt);
          this.#needsAnother = event.read !== undefined && this.#endsAt(event.read);
          if (this.#needsAnother) making.abort();
          break;
        case 'text':
          emit(event.prompt ? { ...event, prompt: this.#counted(event.prompt) } : event, interrupt);
          this.#isDivisible = false;
          break;
        case 'finish':
          emit({ ...event, usage: this.#counted(event.usage) });
      }
    };
    try {
      await generate(AbortSignal.any([signal, making.signal]), take);
    } catch (error) {
      if (!this.#needsAnother || signal.aborted) throw error;
    }
  }

  #endsAt({ promptTokens, cachedTokens, cacheWrites, readTokens }: PromptProgress): boolean {
    this.#isDivisible &&= readTokens > this.#read;
    const isLong = performance.now() - this.#begun >= READING_MS;
    const isShort = promptTokens - readTokens < SHORT_REST;
    if (!isLong || isShort || !this.#isDivisible || !this.#isWanted()) return false;
    this.#read = readTokens;
    this.#cached ??= cachedTokens;
    this.#writes.push(cacheWrites);
    return true;
  }

  /** Tokens that the prompt's own earlier turns left in the KV cache don't count as cached. */
  #counted<T extends PromptUsage>(usage: T): T {
    return {
      ...usage,
      cachedTokens: Math.min(usage.cachedTokens, this.#cached ?? Infinity),
      ...totalWrites([...this.#writes, usage.cacheWrites]),
    };
  }
}
