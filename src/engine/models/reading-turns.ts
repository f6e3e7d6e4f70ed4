import type { PromptProgress, PromptUsage } from '../../core/operations/events.ts';
import type { EmitRaw, RawEvent } from '../conversation/text-model.ts';

/** How long a prompt is read before others may have a turn, milliseconds. */
const READING_MS = 1_000;
/** A rest of fewer tokens than this is read at once. */
const SHORT_REST = 64;

/**
 * The turns in which one long prompt is read: after each, others that wait are answered first. What was read stays in
 * the KV cache. If others need that cache, the prompt is read again, and then in one turn, so that it comes to an end.
 */
export class ReadingTurns {
  readonly #isWanted: () => boolean;
  #begun = 0;
  /** Tokens that were read at the end of the last turn. */
  #read = 0;
  /** Whether it may be read in turns: its beginning is still in the KV cache, and the answer has not begun. */
  #isDivisible = true;
  #needsAnother = false;
  /** Tokens that the KV cache held before the first turn; undefined: that one has not ended yet. */
  #cached: number | undefined;

  /** @param isWanted - whether somebody waits who may have a turn now */
  constructor(isWanted: () => boolean) {
    this.#isWanted = isWanted;
  }

  /** Whether the last turn has ended before the prompt was read. */
  get needsAnother(): boolean {
    return this.#needsAnother;
  }

  /**
   * One turn: the generation, which is ended if others are to have theirs before the answer begins.
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
    const take = (event: RawEvent) => {
      if (this.#needsAnother) return;
      switch (event.type) {
        case 'progress':
          emit(event.read ? { ...event, read: this.#counted(event.read) } : event);
          this.#needsAnother = event.read !== undefined && this.#endsAt(event.read);
          if (this.#needsAnother) making.abort();
          break;
        case 'text':
          emit(event.prompt ? { ...event, prompt: this.#counted(event.prompt) } : event);
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

  #endsAt({ promptTokens, cachedTokens, readTokens }: PromptProgress): boolean {
    this.#isDivisible &&= readTokens > this.#read;
    const isLong = performance.now() - this.#begun >= READING_MS;
    const isShort = promptTokens - readTokens < SHORT_REST;
    if (!isLong || isShort || !this.#isDivisible || !this.#isWanted()) return false;
    this.#read = readTokens;
    this.#cached ??= cachedTokens;
    return true;
  }

  /** What its own earlier turns left in the KV cache does not count as cached. */
  #counted<T extends PromptUsage>(usage: T): T {
    return { ...usage, cachedTokens: Math.min(usage.cachedTokens, this.#cached ?? Infinity) };
  }
}
