import type { GenerateEvent, Usage } from '../../../core/operations/events/events.ts';
import type { GenerateJob, Sampling, WrittenPiece } from '../../../core/operations/jobs/jobs.ts';

/**
 * Continues an answer that another engine began: what that engine wrote is read as part of the
 * prompt, which is much faster than writing it again. This works only if the text alone decides
 * what comes next. If a grammar or penalties also decide, the whole answer is generated again.
 */
export class Continuation {
  /** The pieces that are read instead of being generated again. */
  readonly pieces: readonly WrittenPiece[];
  /** Whether the text so far can be continued elsewhere. */
  #isTold: boolean;

  /**
   * @param sampling - as it will be used, the model's own defaults included
   * @param isFree - whether no grammar constrains the output
   */
  constructor(job: GenerateJob, sampling: Sampling, isFree: boolean) {
    const isContinuable = isFree && textAloneDecides(job, sampling);
    this.pieces = isContinuable ? unfinished(job) : [];
    this.#isTold = isContinuable && job.checkpoints === true;
  }

  get text(): string {
    return this.pieces.map(({ text }) => text).join('');
  }

  /** The text's number of tokens. */
  get tokens(): number {
    return this.pieces.at(-1)?.tokens ?? 0;
  }

  /**
   * @param text - the piece that was just written
   * @param count - tokens that this engine has written so far; undefined if it does not know
   * @param hides - whether a token is left out of the text. From there on, another engine must write the answer again:
   *   the text does not tell it that token.
   */
  checkpoint(text: string, count: number | undefined, hides = false): GenerateEvent[] {
    this.#isTold &&= !hides;
    if (!this.#isTold || count === undefined) return [];
    return [{ type: 'written', piece: { text, tokens: this.tokens + count } }];
  }

  /** The checkpoints of the text that is not generated again. */
  past(): (WrittenPiece & { checkpoint: GenerateEvent[] })[] {
    return this.pieces.map((piece) => ({
      checkpoint: this.#isTold ? [{ type: 'written', piece }] : [],
      ...piece,
    }));
  }

  /** The usage of the whole answer. This engine counted the beginning of the answer as prompt. */
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

function textAloneDecides(
  { topLogprobs, choices = 1, ending }: GenerateJob,
  sampling: Sampling,
): boolean {
  const { frequencyPenalty = 0, presencePenalty = 0, repetitionPenalty = 1 } = sampling;
  const isPenalised = frequencyPenalty !== 0 || presencePenalty !== 0 || repetitionPenalty !== 1;
  const endsAsUsual = ending?.minTokens === undefined;
  return !isPenalised && endsAsUsual && topLogprobs === undefined && choices === 1;
}

/**
 * If only the end of the answer was missing, it is generated again: the text does not tell how it
 * ended.
 */
function unfinished({ written = [], maxTokens = Infinity, stop }: GenerateJob): WrittenPiece[] {
  const text = written.map((piece) => piece.text).join('');
  if (stop.some((each) => text.includes(each))) return [];
  return written.filter(({ tokens }) => tokens < maxTokens);
}
