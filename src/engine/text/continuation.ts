import type { GenerateEvent, Usage } from '../../core/protocol/events.ts';
import type { GenerateJob, Sampling, WrittenPiece } from '../../core/protocol/jobs.ts';

/**
 * How an answer that another engine began is gone on with: what that one wrote is read as part of the
 * prompt, which takes a fraction of the time of writing it again. Only where the text alone decides
 * what comes next; where a grammar or penalties do as well, all of it is written again.
 */
export class Continuation {
  /** What is not written again. */
  readonly pieces: readonly WrittenPiece[];
  readonly #isTold: boolean;

  /**
   * @param sampling - as it will be, the model's own defaults included
   * @param isFree - whether nothing holds the output to a format
   */
  constructor(job: GenerateJob, sampling: Sampling, isFree: boolean) {
    const isContinuable = isFree && textAloneDecides(job, sampling);
    this.pieces = isContinuable ? unfinished(job) : [];
    this.#isTold = isContinuable && job.checkpoints === true;
  }

  get text(): string {
    return this.pieces.map(({ text }) => text).join('');
  }

  /** How many tokens the text has. */
  get tokens(): number {
    return this.pieces.at(-1)?.tokens ?? 0;
  }

  /**
   * @param text - as it was just written
   * @param count - tokens written by this engine so far; undefined where WebLLM does not say it
   */
  checkpoint(text: string, count: number | undefined): GenerateEvent[] {
    if (!this.#isTold || count === undefined) return [];
    return [{ type: 'written', piece: { text, tokens: this.tokens + count } }];
  }

  /** The checkpoints of what is not written again. */
  past(): { checkpoint: GenerateEvent[]; text: string }[] {
    return this.pieces.map((piece) => ({
      checkpoint: this.#isTold ? [{ type: 'written', piece }] : [],
      text: piece.text,
    }));
  }

  /** What was read and written, of which this engine took the beginning of the answer for prompt. */
  usage({ promptTokens, completionTokens, cachedTokens, ...rest }: Usage): Usage {
    const ownPromptTokens = promptTokens - this.tokens;
    return {
      ...rest,
      promptTokens: ownPromptTokens,
      cachedTokens: Math.min(cachedTokens, ownPromptTokens),
      completionTokens: completionTokens + this.tokens,
    };
  }
}

function textAloneDecides({ topLogprobs, choices = 1 }: GenerateJob, sampling: Sampling): boolean {
  const { frequencyPenalty = 0, presencePenalty = 0, repetitionPenalty = 1 } = sampling;
  const isPenalised = frequencyPenalty !== 0 || presencePenalty !== 0 || repetitionPenalty !== 1;
  return !isPenalised && topLogprobs === undefined && choices === 1;
}

/** An answer that was over, but for its end, is written again: the end is not in its text. */
function unfinished({ written = [], maxTokens = Infinity, stop }: GenerateJob): WrittenPiece[] {
  const text = written.map((piece) => piece.text).join('');
  if (stop.some((each) => text.includes(each))) return [];
  return written.filter(({ tokens }) => tokens < maxTokens);
}
