import type { GenerateEvent } from '../../../src/core/operations/events/events.ts';
import type { TemplateMessage, ToolCall } from '../../../src/core/operations/jobs/jobs.ts';

export type Finish = Extract<GenerateEvent, { type: 'finish' }>;

/** What a model has written until it ended or called a function. */
export class WrittenTurn {
  end: Finish | undefined;
  readonly #isHosted: (name: string) => boolean;
  #text = '';
  #reasoning: string | undefined;
  #call: ToolCall | undefined;
  #callIndex: number | undefined;

  /** @param isHosted - whether the function of this name is run here, so that the client does not see the call */
  constructor(isHosted: (name: string) => boolean) {
    this.#isHosted = isHosted;
  }

  /** @returns whether the client sees the event: it sees neither the call of such a function nor its end */
  take(event: GenerateEvent): boolean {
    switch (event.type) {
      case 'text':
        this.#text += event.text;
        return true;
      case 'reasoning':
        this.#reasoning = (this.#reasoning ?? '') + event.text;
        return true;
      case 'tool-call':
        if (!this.#isHosted(event.name)) return true;
        this.#call = { id: event.id, name: event.name, arguments: '' };
        this.#callIndex = event.index;
        return false;
      case 'tool-arguments':
        if (!this.#call || event.index !== this.#callIndex) return true;
        this.#call.arguments += event.text;
        return false;
      case 'finish':
        this.end = event;
        return false;
      default:
        return true;
    }
  }

  /** The call of a function that is run here; undefined: the answer is whole, or was cut. */
  get call(): ToolCall | undefined {
    return this.end?.reason === 'tool_calls' ? this.#call : undefined;
  }

  /** What the model has said before it called. */
  get message(): TemplateMessage {
    return {
      role: 'assistant',
      content: this.#text,
      ...(this.#reasoning !== undefined && { reasoning: this.#reasoning }),
    };
  }
}
