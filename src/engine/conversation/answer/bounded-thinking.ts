import type { WrittenPiece } from '../../../core/operations/jobs.ts';
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
  /** Tokens. */
  limit: number;
  /** The constraint on the rest of the output if the thinking is ended. */
  constraint: OutputConstraint | undefined;
}

/**
 * Generates with limited thinking. At the limit, the thinking is closed, and the model continues with its
 * answer. Without a limit, a model may think until `maxTokens` and never answer.
 */
export class BoundedThinking {
  readonly #model: Pick<TextModel, 'generate' | 'interrupt' | 'tokenizer'>;
  readonly #bound: ThinkingBound;

  constructor(
    model: Pick<TextModel, 'generate' | 'interrupt' | 'tokenizer'>,
    bound: ThinkingBound,
  ) {
    this.#model = model;
    this.#bound = bound;
  }

  /** @param past - the part of the output that another engine has written */
  async run(
    prompt: string,
    past: WrittenPiece,
    generation: Generation,
    signal: AbortSignal,
    emit: EmitRaw,
  ): Promise<void> {
    const { marks, begin } = this.#bound;
    const splitter = new ReasoningSplitter(marks, begin);
    splitter.push(past.text);
    let output = past.text;
    let tokens = 0;
    let finish: RawFinish | undefined;
    let isEnded = false;
    await this.#model.generate(prompt + past.text, generation, signal, (event) => {
      if (event.type === 'progress') return emit(event);
      if (event.type === 'finish') return void (finish = event);
      output += event.text;
      tokens = event.count ?? tokens + 1;
      splitter.push(event.text);
      emit(event);
      const isOver = splitter.inside && past.tokens + tokens >= this.#bound.limit;
      if (isOver && !isEnded) this.#model.interrupt();
      isEnded ||= isOver;
    });
    if (!finish) return;
    if (!isEnded) return emit(finish);
    // The last token before the interrupt may have closed the thoughts.
    const closing = splitter.inside ? this.#bound.closing : '';
    const thought = { prompt: prompt + output, tokens, usage: finish.usage };
    await this.#goOn(thought, closing, generation, signal, emit);
  }

  /** @param thought - the prompt with the thoughts, their number of tokens, and the usage so far */
  async #goOn(
    thought: { prompt: string; tokens: number; usage: RawFinish['usage'] },
    closing: string,
    { maxTokens, random, ...generation }: Generation,
    signal: AbortSignal,
    emit: EmitRaw,
  ): Promise<void> {
    const ids = closing === '' ? [] : ((await this.#model.tokenizer?.encode(closing)) ?? []);
    const count = thought.tokens + ids.length;
    const used = thought.usage.completionTokens + ids.length;
    const { usage: thinking } = thought;
    // The closing mark counts, too.
    if (maxTokens !== undefined && maxTokens < used) {
      return emit({ type: 'finish', reason: 'length', usage: thinking });
    }
    if (closing !== '') {
      const tokens = ids.map((id) => ({ id, logprob: 0, top: [] }));
      emit({ type: 'text', text: closing, tokens, count });
    }
    const usage = { ...thinking, completionTokens: used };
    if (maxTokens === used) return emit({ type: 'finish', reason: 'length', usage });
    const rest: Generation = {
      ...generation,
      constraint: this.#bound.constraint,
      maxTokens: maxTokens && maxTokens - used,
      random: { ...random, drawn: random.drawn + thought.tokens },
    };
    await this.#model.generate(thought.prompt + closing, rest, signal, (event) => {
      switch (event.type) {
        case 'progress':
          emit(event);
          break;
        case 'text':
          emit({ ...event, count: event.count && count + event.count });
          break;
        case 'finish': {
          const completionTokens = used + event.usage.completionTokens;
          emit({ ...event, usage: { ...usage, completionTokens } });
        }
      }
    });
  }
}
