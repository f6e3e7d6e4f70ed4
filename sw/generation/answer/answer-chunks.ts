import type { GenerateEvent } from '../../../src/core/operations/events/events.ts';
import { AnswerProgress } from './answer-progress.ts';
import type { AnswerMeta, AnswerView } from './encoder.ts';
import { dataFrame } from '../../http/event-stream.ts';
import { usageBody } from './usage.ts';

/** The chunks of chat and text completions, with what a request wants beside its answers. */
export class AnswerChunks {
  readonly #meta: AnswerMeta;
  readonly #view: AnswerView;
  readonly #progress: AnswerProgress;

  constructor(meta: AnswerMeta, view: AnswerView) {
    this.#meta = meta;
    this.#view = view;
    this.#progress = new AnswerProgress(view.perPrompt);
  }

  /** A chunk of one choice. */
  of(choice: object): string {
    return this.#frame([choice]);
  }

  /**
   * The chunks of an event.
   *
   * @param choiceOf - makes the event's choice, for the answer with this index; undefined: the event has no choice
   */
  next(event: GenerateEvent, choiceOf: (index: number) => object | undefined): string {
    // llama.cpp has no such field: its server has a slot for each request that it takes.
    if (event.type === 'queued') return this.#frame([], { queue: { before: event.before } });
    const { index, isRead } = this.#progress;
    this.#progress.take(event);
    const choice = choiceOf(index);
    const chunk = choice ? this.#frame([choice]) : '';
    const isNews = event.type === 'reading' || (event.type === 'start' && !isRead);
    return chunk + (isNews ? this.#read() : '') + this.#end(event);
  }

  /** The whole answer. */
  whole(object: string, events: readonly GenerateEvent[], choices: unknown[]): unknown {
    for (const event of events) this.#progress.take(event);
    return {
      ...this.#meta,
      object,
      choices,
      usage: this.#usage,
      ...(this.#view.timings && { timings: this.#progress.timings }),
    };
  }

  get #usage() {
    return usageBody(this.#progress.usage, this.#view.isPredicted);
  }

  #read(): string {
    if (!this.#view.promptProgress) return '';
    return this.#frame([], { prompt_progress: this.#progress.promptProgress });
  }

  /** After the last answer, the usage in a chunk of its own. */
  #end({ type }: GenerateEvent): string {
    const isLast = type === 'finish' && this.#progress.index === this.#view.answers;
    if (!isLast || !this.#view.usage.atEnd) return '';
    return this.#frame([], { usage: this.#usage });
  }

  #frame(choices: object[], more: object = {}): string {
    const { usage, timings } = this.#view;
    return dataFrame({
      ...this.#meta,
      choices,
      ...(usage.atEnd && { usage: null }),
      ...(usage.always && { usage: this.#usage }),
      ...(timings && { timings: this.#progress.timings }),
      ...more,
    });
  }
}
