import type { AnswerMarks, ThoughtMarks } from '../thinking/thinking-format.ts';
import { overlap } from '../../../core/text/stop-filter.ts';

export interface OutputPart {
  type: 'reasoning' | 'text';
  text: string;
  /** How much of the input so far comes after it, in UTF-16 units; of texts only. */
  back: number;
}

/** Where an answer begins: before any mark, right after the opening mark, or within a thought. */
export type ThinkingPlace = 'before' | 'opened' | 'inside';

/** Whether a rendered prompt ends with the opening mark. */
export function opensThinking(prompt: string, marks: ThoughtMarks): boolean {
  return prompt.trimEnd().endsWith(marks.open);
}

/**
 * Whether a rendered prompt ends with an empty thought. The closing mark alone may be how every answer begins: gpt-oss ends
 * a thought as it ends a question.
 */
export function closesThinking(prompt: string, { open, close }: ThoughtMarks): boolean {
  const text = prompt.trimEnd();
  return text.endsWith(close) && text.slice(0, -close.length).trimEnd().endsWith(open);
}

/** Whether a model may think again after a text: only then do its texts have marks of their own. */
export function thinksAgain(answer: AnswerMarks | undefined): boolean {
  return answer !== undefined && answer.begin !== '';
}

/**
 * Separates a model's thinking from its answer while both stream, wherever the pieces are cut.
 * Thinking is what stands between the marks at the very beginning; later marks are text, because
 * then the model quotes them, unless it `thinksAgain`. White space around the marks is dropped.
 */
export class ReasoningSplitter {
  readonly #marks: ThoughtMarks;
  readonly #reopens: boolean;
  #state: ThinkingPlace | 'closed' | 'text';
  /** Undecided text: the beginning of a mark, or white space beside one. */
  #held = '';

  /** @param reopens - whether a thought may follow a text */
  constructor(marks: ThoughtMarks, begin: ThinkingPlace, reopens = false) {
    this.#marks = marks;
    this.#reopens = reopens;
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
        return this.#text(text);
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

  /** The first text that is not white space begins the answer. */
  #answer(text: string): OutputPart[] {
    if (text === '') return [];
    this.#state = 'text';
    return this.#text(text);
  }

  #text(text: string): OutputPart[] {
    const { open } = this.#marks;
    if (!this.#reopens) return part('text', text);
    const at = text.indexOf(open);
    if (at >= 0) {
      this.#state = 'opened';
      const before = part('text', text.slice(0, at), text.length - at);
      return [...before, ...this.#thinking(text.slice(at + open.length))];
    }
    const held = overlap(text, open);
    this.#held = text.slice(text.length - held);
    return part('text', text.slice(0, text.length - held), held);
  }
}

function part(type: OutputPart['type'], text: string, back = 0): OutputPart[] {
  return text === '' ? [] : [{ type, text, back }];
}
