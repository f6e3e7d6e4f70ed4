import { overlap } from '../../../core/text/stop-filter.ts';

/** A part of an answer's text, and where in the output it ends. */
export interface ShownText {
  text: string;
  end: number;
}

/**
 * Leaves marks out of a streamed text, with the white space after them, wherever the pieces are cut. A model
 * sometimes closes a thought that it never began.
 */
export class StrayMarks {
  readonly #marks: readonly string[];
  /** The possible beginning of a mark. */
  #held = '';
  #end = 0;
  #isAfterMark = false;

  constructor(marks: readonly string[]) {
    this.#marks = marks;
  }

  /** @param end - where in the output the text ends; it may begin later than the text before it ended */
  push(text: string, end: number): ShownText[] {
    const shown = end - text.length === this.#end ? [] : this.flush();
    this.#end = end;
    let rest = this.#held + text;
    for (let found = this.#first(rest); found; found = this.#first(rest)) {
      shown.push(...this.#shown(rest.slice(0, found.start), end - rest.length + found.start));
      this.#isAfterMark = true;
      rest = rest.slice(found.start + found.mark.length);
    }
    const held = Math.max(0, ...this.#marks.map((mark) => overlap(rest, mark)));
    this.#held = rest.slice(rest.length - held);
    return [...shown, ...this.#shown(rest.slice(0, rest.length - held), end - held)];
  }

  /** To be called when the text ends: gives what was held back. */
  flush(): ShownText[] {
    const held = this.#held;
    this.#held = '';
    return this.#shown(held, this.#end);
  }

  #first(text: string): { mark: string; start: number } | undefined {
    const found = this.#marks.map((mark) => ({ mark, start: text.indexOf(mark) }));
    return found.filter(({ start }) => start >= 0).sort((a, b) => a.start - b.start)[0];
  }

  #shown(text: string, end: number): ShownText[] {
    const shown = this.#isAfterMark ? text.trimStart() : text;
    this.#isAfterMark &&= shown === '';
    return shown === '' ? [] : [{ text: shown, end }];
  }
}
