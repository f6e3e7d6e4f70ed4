import type { CallFamily, CallSyntax } from './call-syntax.ts';
import { JsonArguments, type ArgumentsReader } from './json-arguments.ts';
import { KeywordArguments } from './keyword-arguments.ts';
import { matchPieces, skipSpace } from './match-pieces.ts';

/**
 * A part of an answer. A text says where in the input it ends, in UTF-16 units; `arguments` is a
 * piece of the latest call's JSON.
 */
export type AnswerPart =
  | { type: 'text'; text: string; end: number }
  | { type: 'call'; name: string }
  | { type: 'arguments'; text: string };

/** The beginning of a call, up to its arguments. */
interface Header {
  syntax: CallSyntax;
  name: string;
  end: number;
}

/** A call whose arguments have begun. */
interface OpenCall {
  syntax: CallSyntax;
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
  readonly #family: CallFamily;
  readonly #names: ReadonlySet<string>;
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
  /** The tool of the first call, if it is known before the model writes its name. */
  #certain: string | undefined;
  /** Whether the first call was announced before its name was read. */
  #isAnnounced = false;

  /**
   * @param names - of the tools that may be called
   * @param mustCall - whether the answer is nothing but calls
   */
  constructor(family: CallFamily, names: Iterable<string>, mustCall = false) {
    this.#family = family;
    this.#names = new Set(names);
    const [only, ...others] = this.#names;
    if (mustCall && others.length === 0) this.#certain = only;
  }

  push(piece: string): AnswerPart[] {
    this.#announce();
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

  #atEndOf({ syntax, isOver }: OpenCall, isCut: boolean): AnswerPart[] {
    const end = isOver && !isCut ? matchPieces(this.#held, 0, syntax.close) : 'more';
    if (typeof end === 'number') {
      this.#skip(end);
      this.#text(this.#held.length);
    }
    return this.#taken();
  }

  #announce(): void {
    if (this.#certain === undefined) return;
    this.#parts.push({ type: 'call', name: this.#certain });
    this.#certain = undefined;
    this.#isAnnounced = true;
  }

  /** Reads the held text; false if it is not enough to decide. */
  #step(): boolean {
    if (!this.#call) return this.#readText();
    return this.#call.isOver ? this.#readEnd(this.#call.syntax) : this.#readArguments(this.#call);
  }

  #readText(): boolean {
    for (let at = 0; at < this.#held.length; at++) {
      const header = this.#header(at);
      if (header === 'no') continue;
      this.#text(at);
      if (header === 'more') return false;
      this.#begin(header, header.end - at);
      return true;
    }
    this.#text(this.#held.length);
    return false;
  }

  #readArguments(call: OpenCall): boolean {
    const { json, end } = call.reader.push(this.#held);
    if (json !== '') this.#parts.push({ type: 'arguments', text: json });
    this.#skip(end ?? this.#held.length);
    call.isOver = end !== undefined;
    return call.isOver;
  }

  #readEnd(syntax: CallSyntax): boolean {
    const next = this.#headerOf(syntax, 0, syntax.between);
    if (next === 'more') return false;
    if (next !== 'no') {
      this.#begin(next, next.end);
      return true;
    }
    const end = matchPieces(this.#held, 0, syntax.close);
    if (end === 'more') return false;
    this.#skip(end === 'no' ? 0 : end);
    this.#call = undefined;
    return true;
  }

  #begin({ syntax, name }: Header, end: number): void {
    if (!this.#isAnnounced) this.#parts.push({ type: 'call', name });
    this.#isAnnounced = false;
    this.#space = '';
    this.#isAfterCall = true;
    this.#skip(end);
    const isJson = syntax.arguments === 'json';
    const reader = isJson ? new JsonArguments() : new KeywordArguments();
    this.#call = { syntax, reader, isOver: false };
  }

  #header(at: number): Header | 'no' | 'more' {
    let outcome: 'no' | 'more' = 'no';
    for (const syntax of this.#family) {
      const header = this.#headerOf(syntax, at, syntax.open);
      if (header === 'more') outcome = 'more';
      else if (header !== 'no') return header;
    }
    return outcome;
  }

  #headerOf(syntax: CallSyntax, at: number, open: readonly string[]): Header | 'no' | 'more' {
    const begin = matchPieces(this.#held, at, open);
    if (typeof begin === 'string') return begin;
    const [name = ''] = /^[\w-]*/.exec(this.#held.slice(begin)) ?? [];
    if (begin + name.length === this.#held.length) return this.#isOpening(name) ? 'more' : 'no';
    if (!this.#names.has(name)) return 'no';
    const after = matchPieces(this.#held, begin + name.length, syntax.afterName);
    if (typeof after === 'string') return after;
    if (syntax.arguments === 'keywords') return { syntax, name, end: after };
    const end = skipSpace(this.#held, after);
    if (end === this.#held.length) return 'more';
    return this.#held.charAt(end) === '{' ? { syntax, name, end } : 'no';
  }

  #isOpening(text: string): boolean {
    return [...this.#names].some((name) => name.startsWith(text));
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
