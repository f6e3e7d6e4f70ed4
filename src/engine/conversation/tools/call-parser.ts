import type { Tool } from '../../../core/operations/jobs/jobs.ts';
import { BareArguments } from './arguments/bare-arguments.ts';
import { ElementArguments } from './arguments/element-arguments.ts';
import { closingOf, type CallFormat } from './format/call-format.ts';
import { JsonArguments, type ArgumentsReader } from './arguments/json-arguments.ts';
import { KeywordArguments } from './arguments/keyword-arguments.ts';
import { MarkedArguments } from './arguments/marked-arguments.ts';
import { skipSpace, SlotMatcher, type Match } from './match-slots.ts';

/**
 * A part of an answer. A call has an id if the model writes one before the arguments. A text says where in the input it
 * ends, in UTF-16 units; `arguments` is a piece of the latest call's JSON.
 */
export type AnswerPart =
  | { type: 'text'; text: string; end: number }
  | { type: 'call'; name: string; id?: string }
  | { type: 'arguments'; text: string };

/** A call whose arguments have begun. */
interface OpenCall {
  reader: ArgumentsReader;
  /** Whether the arguments are complete. */
  isOver: boolean;
}

/**
 * Separates the calls in an answer from its text while both stream, wherever the pieces are cut. A
 * call is recognised by its name and the beginning of its arguments; text that only resembles a call
 * stays text. White space beside a call is dropped.
 */
export class CallParser {
  readonly #format: CallFormat;
  readonly #tools: readonly Tool[];
  /** The ways in which the first call begins, the beginning of a further one, and the end after a call. */
  readonly #first: readonly SlotMatcher[];
  readonly #further: SlotMatcher;
  readonly #last: SlotMatcher;
  /** The mark that closes a call, or the last one. Some models write it twice. */
  readonly #closing: SlotMatcher | undefined;
  /** Input that is undecided or not read yet. */
  #held = '';
  /** Position in the input where the held text begins. */
  #at = 0;
  /** White space that becomes text only if text follows. */
  #space = '';
  /** Whether the last thing found was a call. */
  #isAfterCall = false;
  #call: OpenCall | undefined;
  #parts: AnswerPart[] = [];

  /** @param tools - that may be called */
  constructor(format: CallFormat, tools: readonly Tool[]) {
    this.#format = format;
    this.#tools = tools;
    const names = new Set(tools.map(({ name }) => name));
    const { begin, end, separator = '', head, tail } = format;
    // Text may be separated from a call as calls are from each other.
    const openings = begin === '' && separator.trim() !== '' ? [separator, ''] : [begin];
    this.#first = openings.map((opening) => new SlotMatcher([opening, ...head], names));
    this.#further = new SlotMatcher([' ', ...tail, separator, ...head], names);
    this.#last = new SlotMatcher([' ', ...tail, end], names);
    const closing = closingOf(format);
    this.#closing = closing === undefined ? undefined : new SlotMatcher([' ', closing], names);
  }

  push(piece: string): AnswerPart[] {
    this.#held += piece;
    while (this.#step());
    return this.#taken();
  }

  /**
   * To be called when the output ends: returns what was held back. The beginning of a call's end is
   * dropped. If the output was cut, the possible beginning of a call is dropped, too.
   */
  flush(isCut: boolean): AnswerPart[] {
    if (this.#call) return this.#atEndOf(this.#call, isCut);
    if (isCut && this.#held !== '') return this.#taken();
    this.#text(this.#held.length);
    if (!this.#isAfterCall && this.#space !== '') this.#addText(this.#space, this.#at);
    return this.#taken();
  }

  #atEndOf({ reader, isOver }: OpenCall, isCut: boolean): AnswerPart[] {
    if (!isOver && !isCut) this.#addJson(reader.finish());
    const end = isOver && !isCut ? this.#last.match(this.#held, 0) : 'more';
    if (typeof end !== 'string') {
      this.#skip(end.end);
      this.#text(this.#held.length);
    }
    return this.#taken();
  }

  /** Reads the held text; false if it is not enough to decide. */
  #step(): boolean {
    if (!this.#call) return this.#readText();
    return this.#call.isOver ? this.#readEnd() : this.#readArguments(this.#call);
  }

  #readText(): boolean {
    const stray = this.#isAfterCall ? this.#closing?.match(this.#held, 0) : undefined;
    if (stray !== undefined && typeof stray !== 'string') {
      this.#skip(stray.end);
      return true;
    }
    if (stray === 'more' && this.#held.trim() !== '') return false;
    for (let at = 0; at < this.#held.length; at++) {
      const begin = this.#beginning(this.#first, at);
      if (begin === 'no') continue;
      this.#text(at);
      if (begin === 'more') return false;
      this.#begin({ ...begin, end: begin.end - at });
      return true;
    }
    this.#text(this.#held.length);
    return false;
  }

  #readArguments(call: OpenCall): boolean {
    const { json, used, isOver } = call.reader.read(this.#held);
    this.#addJson(json);
    this.#skip(used);
    call.isOver = isOver;
    return isOver;
  }

  #readEnd(): boolean {
    const next = this.#beginning([this.#further], 0);
    if (next === 'more') return false;
    if (next !== 'no') {
      this.#begin(next);
      return true;
    }
    const end = this.#last.match(this.#held, 0);
    if (end === 'more') return false;
    this.#skip(end === 'no' ? 0 : end.end);
    this.#call = undefined;
    return true;
  }

  #begin({ end, name, id: own }: Match): void {
    const tool = this.#tools.find((each) => each.name === name);
    if (!tool) return;
    const id = this.#idIn(this.#held.slice(0, end), name, own);
    this.#parts.push({ type: 'call', name, ...(id !== undefined && { id }) });
    this.#space = '';
    this.#isAfterCall = true;
    this.#skip(end);
    this.#call = { reader: this.#reader(tool), isOver: false };
  }

  /** An id that is a part of the head, or made of the name and a number there, e.g. `functions.get:0`. */
  #idIn(head: string, name: string, own: string | undefined): string | undefined {
    const has = (is: 'id' | 'index') =>
      this.#format.head.some((slot) => typeof slot !== 'string' && slot.is === is);
    if (has('id')) return own;
    if (!has('index')) return undefined;
    const ids = head.match(/[\w.-]+:\d+/g) ?? [];
    return ids.findLast((id) => id.replace(/:\d+$/, '').endsWith(name));
  }

  #reader(tool: Tool): ArgumentsReader {
    const { arguments: form } = this.#format;
    if (form.kind === 'json') return new JsonArguments();
    if (form.closes === true) return new ElementArguments(form, tool);
    if (form.nested === 'bare') return new BareArguments(form);
    return form.strings === 'raw' ? new MarkedArguments(form, tool) : new KeywordArguments();
  }

  /** A call's beginning, up to its arguments. */
  #beginning(matchers: readonly SlotMatcher[], at: number): Match | 'no' | 'more' {
    const found = matchers.map((matcher) => this.#opening(matcher.match(this.#held, at)));
    return (
      found.find((each) => typeof each !== 'string') ??
      found.find((each) => each === 'more') ??
      'no'
    );
  }

  /** A match, if arguments begin after it. */
  #opening(found: Match | 'no' | 'more'): Match | 'no' | 'more' {
    if (typeof found === 'string' || this.#format.arguments.kind === 'members') return found;
    const end = skipSpace(this.#held, found.end);
    if (end === this.#held.length) return 'more';
    return this.#held.charAt(end) === '{' ? { ...found, end } : 'no';
  }

  /** Emits this many characters of the held text as text. */
  #text(length: number): void {
    const all = this.#space + this.#skip(length);
    const certain = all.trimEnd();
    this.#space = all.slice(certain.length);
    if (certain === '') return;
    this.#isAfterCall = false;
    this.#addText(certain, this.#at - this.#space.length);
  }

  #addText(text: string, end: number): void {
    this.#parts.push({ type: 'text', text, end });
  }

  #addJson(text: string): void {
    if (text !== '') this.#parts.push({ type: 'arguments', text });
  }

  #skip(length: number): string {
    const skipped = this.#held.slice(0, length);
    this.#held = this.#held.slice(length);
    this.#at += length;
    return skipped;
  }

  #taken(): AnswerPart[] {
    const parts = this.#parts;
    this.#parts = [];
    return parts;
  }
}
