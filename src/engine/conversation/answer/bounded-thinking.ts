import { totalDrafts } from '../../../core/operations/drafts.ts';
import type { WrittenPiece } from '../../../core/operations/jobs/jobs.ts';
import type { OutputConstraint } from '../constraint/output-constraint.ts';
import type { ThoughtMarks } from '../thinking/thinking-format.ts';
import { ReasoningSplitter, type ThinkingPlace } from './reasoning-splitter.ts';
import type { EmitRaw, Generation, RawFinish, TextModel } from '../text-model.ts';

/** How a generation's thinking is bounded. */
export interface ThinkingBound {
  marks: ThoughtMarks;
  /** What closes a thought: the mark, with the white space that belongs to it. */
  closing: string;
  /** Where the answer begins. */
  begin: ThinkingPlace;
  /** Whether a thought may follow a text. */
  reopens: boolean;
  /** Tokens of all thoughts together. */
  limit: number;
  /** The constraint on the rest of the output if the thinking is ended. */
  constraint: OutputConstraint | undefined;
}

/**
 * Generates with limited thinking. At the limit, the thinking is closed, and the model continues with its
 * answer; a thought that it opens after that is closed at once. Without a limit, a model may think until `maxTokens` and
 * never answer.
 */
export class BoundedThinking {
  readonly #model: Pick<TextModel, 'generate' | 'tokenizer'>;
  readonly #bound: ThinkingBound;

  constructor(model: Pick<TextModel, 'generate' | 'tokenizer'>, bound: ThinkingBound) {
    this.#model = model;
    this.#bound = bound;
  }

  /** @param past - the part of the output that another engine has written; its tokens count as thinking */
  async run(
    prompt: string,
    past: WrittenPiece,
    { maxTokens, random, ...generation }: Generation,
    signal: AbortSignal,
    emit: EmitRaw,
  ): Promise<void> {
    const { marks, begin, reopens, limit, closing } = this.#bound;
    const splitter = new ReasoningSplitter(marks, begin, reopens);
    splitter.push(past.text);
    let text = prompt + past.text;
    let thought = past.tokens;
    let drawn = 0;
    /** Tokens of the output so far, closing marks included: as events count them, and as the model counts them. */
    let count = 0;
    let used = 0;
    let usage: RawFinish['usage'] | undefined;
    const drafts: RawFinish['usage']['drafts'][] = [];
    const end = (reason: RawFinish['reason'], isTight = false) => {
      if (!usage) return;
      const all = { ...usage, completionTokens: used, ...totalDrafts(drafts) };
      emit({ type: 'finish', reason, ...(isTight && { isTight }), usage: all });
    };
    for (let { constraint } = generation; ; { constraint } = this.#bound) {
      const part: Generation = {
        ...generation,
        constraint,
        maxTokens: maxTokens && maxTokens - used,
        random: { ...random, drawn: random.drawn + drawn },
      };
      const before = count;
      let tokens = 0;
      let finish: RawFinish | undefined;
      let isOver = false;
      await this.#model.generate(text, part, signal, (event, interrupt) => {
        if (event.type === 'progress') return emit(event, interrupt);
        if (event.type === 'finish') return void (finish = event);
        const wasInside = splitter.inside;
        splitter.push(event.text);
        text += event.text;
        const now = event.count ?? tokens + 1;
        if (wasInside || splitter.inside) thought += now - tokens;
        tokens = now;
        count = before + tokens;
        emit({ ...event, count: event.count && count }, interrupt);
        if (isOver || !splitter.inside || thought < limit) return;
        isOver = true;
        interrupt?.();
      });
      if (!finish) return;
      used += finish.usage.completionTokens;
      drawn += tokens;
      usage ??= finish.usage;
      drafts.push(finish.usage.drafts);
      if (!isOver) return end(finish.reason);
      // The last token before the interrupt may have closed the thoughts.
      if (splitter.inside) {
        const ids = (await this.#model.tokenizer?.encode(closing)) ?? [];
        // The closing mark counts, too.
        if (maxTokens !== undefined && maxTokens < used + ids.length) return end('length', true);
        count += ids.length;
        used += ids.length;
        text += closing;
        splitter.push(closing);
        emit({
          type: 'text',
          text: closing,
          tokens: ids.map((id) => ({ id, logprob: 0, top: [] })),
          count,
        });
      }
      if (maxTokens === used) return end('length');
    }
  }
}
