import type { GenerateEvent } from '../../../src/core/operations/events.ts';
import type { TemplateMessage, ToolCall } from '../../../src/core/operations/jobs.ts';
import { FILE_SEARCH } from './file-search-request.ts';

export type Finish = Extract<GenerateEvent, { type: 'finish' }>;

/** What a model has written until it ended or called a function. */
export class WrittenTurn {
  end: Finish | undefined;
  #text = '';
  #reasoning: string | undefined;
  #search: ToolCall | undefined;
  #searchIndex: number | undefined;

  /** @returns whether the client sees the event: it sees neither the call of a search nor its end */
  take(event: GenerateEvent): boolean {
    switch (event.type) {
      case 'text':
        this.#text += event.text;
        return true;
      case 'reasoning':
        this.#reasoning = (this.#reasoning ?? '') + event.text;
        return true;
      case 'tool-call':
        if (event.name !== FILE_SEARCH) return true;
        this.#search = { id: event.id, name: event.name, arguments: '' };
        this.#searchIndex = event.index;
        return false;
      case 'tool-arguments':
        if (!this.#search || event.index !== this.#searchIndex) return true;
        this.#search.arguments += event.text;
        return false;
      case 'finish':
        this.end = event;
        return false;
      default:
        return true;
    }
  }

  /** The call that searches; undefined: the answer is whole, or was cut. */
  get search(): ToolCall | undefined {
    return this.end?.reason === 'tool_calls' ? this.#search : undefined;
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
