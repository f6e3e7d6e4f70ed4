import { fill } from '../../messages/fill.ts';
import { messages } from '../../messages/messages.ts';
import { formatNumber, formatRate, formatSeconds } from '../../ui/format.ts';

/** The part of the API's `usage` that the console shows. */
export interface TokenUsage {
  promptTokens: number;
  completionTokens: number;
  /** How many of `promptTokens` were already in the KV cache. */
  cachedTokens: number;
}

/** The timing of one answer. All times are milliseconds of the same clock. */
export class AnswerClock {
  readonly #askedAt: number;
  #firstAt: number | undefined;
  #lastAt: number | undefined;

  constructor(askedAt: number) {
    this.#askedAt = askedAt;
  }

  recordPiece(at: number): void {
    this.#firstAt ??= at;
    this.#lastAt = at;
  }

  /** Time from the question to the first piece; null until it arrives. */
  get firstTokenSeconds(): number | null {
    return this.#firstAt === undefined ? null : (this.#firstAt - this.#askedAt) / 1000;
  }

  /**
   * Decoding speed; null if it cannot be measured. The first token does not count, because it waits
   * until the prompt is processed.
   */
  tokensPerSecond(completionTokens: number): number | null {
    if (this.#firstAt === undefined || this.#lastAt === undefined) return null;
    const seconds = (this.#lastAt - this.#firstAt) / 1000;
    return completionTokens > 1 && seconds > 0 ? (completionTokens - 1) / seconds : null;
  }
}

/** What is known about how an answer was made. */
export interface Figures extends TokenUsage {
  tokensPerSecond?: number;
  firstTokenSeconds?: number;
}

export function figuresOf(usage: TokenUsage, clock: AnswerClock): Figures {
  const tokensPerSecond = clock.tokensPerSecond(usage.completionTokens);
  const { firstTokenSeconds } = clock;
  return {
    ...usage,
    ...(tokensPerSecond !== null && { tokensPerSecond }),
    ...(firstTokenSeconds !== null && { firstTokenSeconds }),
  };
}

/** The figures below an answer, the speed first: `18.4 tokens/s`, `112 tokens`, `54 prompt tokens, 30 cached`. */
export function describeFigures(figures: Figures): string[] {
  const { completionTokens, tokensPerSecond, firstTokenSeconds } = figures;
  const { chat, models } = messages.value;
  return [
    ...(tokensPerSecond === undefined
      ? []
      : [fill(chat.notes.speed, { rate: formatRate(tokensPerSecond) })]),
    fill(models.tokens, { count: completionTokens }),
    ...(firstTokenSeconds === undefined
      ? []
      : [fill(chat.notes.firstToken, { time: formatSeconds(firstTokenSeconds) })]),
    describePrompt(figures),
  ];
}

function describePrompt({ promptTokens, cachedTokens }: TokenUsage): string {
  const text = messages.value.chat.notes;
  const prompt = fill(text.promptTokens, { count: promptTokens });
  return cachedTokens > 0
    ? fill(text.cached, { prompt, cached: formatNumber(cachedTokens) })
    : prompt;
}
