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
  /** What a text may begin with, if that was not read yet. */
  #begin: string;
  /** The possible beginning of a mark. */
  #held = '';
  #end = 0;
  #isAfterMark = false;

  /** @param begin - what is left out at the text's very beginning only, e.g. a recipient */
  constructor(marks: readonly string[], begin = '') {
    this.#marks = marks;
    this.#begin = begin.trimStart();
  }

  /** @param end - where in the output the text ends; it may begin later than the text before it ended */
  push(text: string, end: number): ShownText[] {
    const shown = end - text.length === this.#end ? [] : this.flush();
    this.#end = end;
    let rest = this.#held + text;
    const begun = rest.trimStart();
    if (this.#begin.startsWith(begun) && begun !== this.#begin) {
      this.#held = rest;
      return shown;
    }
    if (this.#begin !== '' && begun.startsWith(this.#begin)) {
      this.#isAfterMark = true;
      rest = begun.slice(this.#begin.length);
    }
    this.#begin = '';
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
    const isBegin = this.#begin !== '' && this.#held.trimStart() === this.#begin.trimEnd();
    const held = isBegin ? '' : this.#held;
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
