import { overlap } from '../../../core/text/stop-filter.ts';

/** A part of an answer's text, and where in the output it ends. */
export interface ShownText {
  text: string;
  end: number;
}

/**
 * Leaves marks out of a streamed text, with the white space after them, wherever the pieces are cut. A model
 * sometimes closes a thought that it never began. Of marks that begin alike, the longest is meant.
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
    const [found, left] = this.#without(rest, end, false);
    const held = Math.max(0, ...this.#marks.map((mark) => overlap(left, mark)));
    this.#held = left.slice(left.length - held);
    return [...shown, ...found, ...this.#shown(left.slice(0, left.length - held), end - held)];
  }

  /** To be called when the text ends: gives what was held back. */
  flush(): ShownText[] {
    const isBegin = this.#begin !== '' && this.#held.trimStart() === this.#begin.trimEnd();
    const [shown, left] = this.#without(isBegin ? '' : this.#held, this.#end, true);
    this.#held = '';
    return [...shown, ...this.#shown(left, this.#end)];
  }

  /** What stands before whole marks, and the rest after the last one. @param end - of the text */
  #without(text: string, end: number, isLast: boolean): [ShownText[], rest: string] {
    const shown: ShownText[] = [];
    let rest = text;
    for (let found = this.#first(rest, isLast); found; found = this.#first(rest, isLast)) {
      shown.push(...this.#shown(rest.slice(0, found.start), end - rest.length + found.start));
      this.#isAfterMark = true;
      rest = rest.slice(found.start + found.mark.length);
    }
    return [shown, rest];
  }

  /** The first mark, the longest of those that begin there; undefined while a longer one may come. */
  #first(text: string, isLast: boolean): { mark: string; start: number } | undefined {
    const found = this.#marks
      .map((mark) => ({ mark, start: text.indexOf(mark) }))
      .filter(({ start }) => start >= 0)
      .sort((a, b) => a.start - b.start || b.mark.length - a.mark.length)[0];
    const rest = text.slice(found?.start);
    const mayGrow = !isLast && this.#marks.some((mark) => mark !== rest && mark.startsWith(rest));
    return mayGrow ? undefined : found;
  }

  #shown(text: string, end: number): ShownText[] {
    const shown = this.#isAfterMark ? text.trimStart() : text;
    this.#isAfterMark &&= shown === '';
    return shown === '' ? [] : [{ text: shown, end }];
  }
}
