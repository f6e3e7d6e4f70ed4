import type { PromptUsage } from '../../../core/operations/events/events.ts';
import type { EmitRaw, Generation, RawFinish } from '../../conversation/text-model.ts';
import type { AnswerEvent } from './model-worker.ts';

/** A generation, perhaps by several workers: if one is lost, another one continues. */
export class RunningGeneration {
  /** Ids of the tokens whose text has been passed on. */
  readonly written: number[] = [];
  readonly #hidden: Generation['hidden'];
  readonly #emit: EmitRaw;
  #isInterrupted = false;
  #stop: () => void = () => undefined;
  #prompt: PromptUsage | undefined;

  constructor(hidden: Generation['hidden'], emit: EmitRaw) {
    this.#hidden = hidden;
    this.#emit = emit;
  }

  /** @param stop - called if the generation is interrupted, or was before */
  onInterrupt(stop: () => void): void {
    this.#stop = stop;
    if (this.#isInterrupted) stop();
  }

  /** Passes on what a worker tells. */
  take(event: AnswerEvent): void {
    switch (event.type) {
      case 'progress': {
        const { readTokens: _, ...prompt } = event.prompt;
        this.#prompt = prompt;
        this.#emit({ type: 'progress', read: event.prompt }, this.#interrupt);
        break;
      }
      case 'text': {
        // The worker may have written more before it heard of the interruption.
        if (this.#isInterrupted) break;
        const { text, ids, tokens } = event.piece;
        this.written.push(...ids);
        const hides = this.#hidden !== undefined && ids.some((id) => this.#hidden?.has(id));
        const count = this.written.length;
        const piece = { type: 'text', text, tokens, count, hides, prompt: this.#prompt } as const;
        this.#emit(piece, this.#interrupt);
        break;
      }
      case 'finish':
        this.#emit(this.#isInterrupted ? cut(event, this.written.length) : event);
        break;
    }
  }

  readonly #interrupt = (): void => {
    this.#isInterrupted = true;
    this.#stop();
  };
}

function cut({ usage, ...finish }: RawFinish, completionTokens: number): RawFinish {
  return { ...finish, usage: { ...usage, completionTokens } };
}
