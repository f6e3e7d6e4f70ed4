import type { ThoughtMarks } from '../thinking/thinking-format.ts';
import { overlap } from '../../../core/text/stop-filter.ts';

export interface OutputPart {
  type: 'reasoning' | 'text';
  text: string;
}

/** Where an answer begins: before any mark, right after the opening mark, or within a thought. */
export type ThinkingPlace = 'before' | 'opened' | 'inside';

/** Whether a rendered prompt ends with the opening mark. */
export function opensThinking(prompt: string, marks: ThoughtMarks): boolean {
  return prompt.trimEnd().endsWith(marks.open);
}

/**
 * Separates a model's thinking from its answer while both stream, wherever the pieces are cut.
 * Thinking is what stands between the marks at the very beginning; later marks are text, because
 * then the model quotes them. White space around the marks is dropped.
 */
export class ReasoningSplitter {
  readonly #marks: ThoughtMarks;
  #state: ThinkingPlace | 'closed' | 'text';
  /** Undecided text: the beginning of a mark, or white space beside one. */
  #held = '';

  constructor(marks: ThoughtMarks, begin: ThinkingPlace) {
    this.#marks = marks;
    this.#state = begin;
  }

  /** Whether the next text is thinking. */
  get inside(): boolean {
    return this.#state === 'opened' || this.#state === 'inside';
  }

  push(piece: string): OutputPart[] {
    const text = this.#held + piece;
    this.#held = '';
    switch (this.#state) {
      case 'before':
        return this.#before(text);
      case 'opened':
      case 'inside':
        return this.#thinking(text);
      case 'closed':
        return this.#answer(text.trimStart());
      case 'text':
        return part('text', text);
    }
  }

  /** To be called when the output ends: gives what was held back. */
  flush(): OutputPart[] {
    return part(this.inside ? 'reasoning' : 'text', this.#held);
  }

  #before(text: string): OutputPart[] {
    const { open } = this.#marks;
    const trimmed = text.trimStart();
    if (trimmed.startsWith(open)) {
      this.#state = 'opened';
      return this.#thinking(trimmed.slice(open.length));
    }
    if (!open.startsWith(trimmed)) return this.#answer(text);
    this.#held = text;
    return [];
  }

  #thinking(text: string): OutputPart[] {
    const begun = this.#state === 'opened' ? text.trimStart() : text;
    const end = begun.indexOf(this.#marks.close);
    if (end >= 0) {
      this.#state = 'closed';
      const rest = begun.slice(end + this.#marks.close.length).trimStart();
      return [...part('reasoning', begun.slice(0, end).trimEnd()), ...this.#answer(rest)];
    }
    const certain = begun.slice(0, begun.length - overlap(begun, this.#marks.close)).trimEnd();
    this.#held = begun.slice(certain.length);
    if (certain !== '') this.#state = 'inside';
    return part('reasoning', certain);
  }

  /** After the first text that is not white space, marks are no longer searched. */
  #answer(text: string): OutputPart[] {
    if (text !== '') this.#state = 'text';
    return part('text', text);
  }
}

function part(type: OutputPart['type'], text: string): OutputPart[] {
  return text === '' ? [] : [{ type, text }];
}
