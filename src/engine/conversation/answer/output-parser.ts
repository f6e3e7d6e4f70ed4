import type { FinishReason, GenerateEvent, Usage } from '../../../core/operations/events.ts';
import { opensThinking, ReasoningSplitter, type OutputPart } from './reasoning-splitter.ts';
import type { ReasoningMarks } from '../../../core/catalog/template-features.ts';
import { StopFilter } from '../../../core/text/stop-filter.ts';
import { newCallId } from '../tools/call-id.ts';
import type { AnswerPart, CallParser } from '../tools/call-parser.ts';

/** An event of an answer. A text event says where in the output it ends, in UTF-16 units. */
export type ParsedEvent =
  Exclude<GenerateEvent, { type: 'text' }> | { type: 'text'; text: string; end: number };

/** Turns raw output, piece by piece, into the answer's events: thinking, text, calls and the end. */
export class OutputParser {
  readonly #stop: StopFilter;
  readonly #splitter: ReasoningSplitter | undefined;
  readonly #calls: CallParser | undefined;
  #output = '';
  /** Where in the output the text begins. The call parser reads only the text. */
  #textStart: number | undefined;
  /** What the stop filter received last, and how much of its input it holds back. */
  #said: { type: OutputPart['type']; end: number } = { type: 'text', end: 0 };
  #heldLength = 0;
  #reasoningTokens = 0;
  #callCount = 0;

  /**
   * @param marks - the marks that the model thinks between; undefined: everything is text
   * @param prompt - as rendered: it may already have opened the thinking
   * @param calls - undefined if the model may not call tools
   */
  constructor(
    stop: string[],
    marks: ReasoningMarks | undefined,
    prompt: string,
    calls?: CallParser,
  ) {
    // Stop strings are found here for all engines: WebLLM's own leak their first characters.
    this.#stop = new StopFilter(stop);
    this.#splitter = marks && new ReasoningSplitter(marks, opensThinking(prompt, marks));
    this.#calls = calls;
  }

  /** Everything the model wrote, raw. */
  get output(): string {
    return this.#output;
  }

  /** Whether a stop string was found, which ends the answer. */
  get stopped(): boolean {
    return this.#stop.stopped;
  }

  /** The part of the usage that only the parser knows. */
  get usage(): Pick<Usage, 'reasoningTokens'> {
    return this.#splitter ? { reasoningTokens: this.#reasoningTokens } : {};
  }

  /** @param reason - why the model stopped */
  end(reason: FinishReason): { reason: FinishReason; stop?: string } {
    const { stop } = this.#stop;
    if (stop !== undefined) return { reason: 'stop', stop };
    return { reason: reason === 'stop' && this.#callCount > 0 ? 'tool_calls' : reason };
  }

  /** @param text - the piece that one token adds */
  push(text: string): ParsedEvent[] {
    this.#output += text;
    const wasInside = this.#splitter?.inside ?? false;
    const parts = this.#splitter?.push(text) ?? [{ type: 'text' as const, text }];
    // The tokens of the marks count as thinking.
    if (wasInside || this.#splitter?.inside) this.#reasoningTokens++;
    return parts.flatMap((part) => this.#events(part));
  }

  /** @param isCut - whether the output was cut before the model ended it */
  flush(isCut: boolean): ParsedEvent[] {
    const last = (this.#splitter?.flush() ?? []).flatMap((part) => this.#events(part));
    last.push(...this.#answer(this.#calls?.flush(isCut) ?? []));
    return [...last, ...this.#flushHeld()];
  }

  /** A text part always ends where the output ends: only thoughts and marks are held back. */
  #events({ type, text }: OutputPart): ParsedEvent[] {
    const end = this.#output.length;
    if (type === 'reasoning') return this.#say(type, text, end);
    this.#textStart ??= end - text.length;
    return this.#answer(this.#calls?.push(text) ?? [{ type, text, end: end - this.#textStart }]);
  }

  #answer(parts: readonly AnswerPart[]): ParsedEvent[] {
    return parts.flatMap((part) => (this.stopped ? [] : this.#answerPart(part)));
  }

  #answerPart(part: AnswerPart): ParsedEvent[] {
    switch (part.type) {
      case 'call': {
        const index = this.#callCount++;
        const call: ParsedEvent = { type: 'tool-call', index, id: newCallId(), name: part.name };
        return [...this.#flushHeld(), call];
      }
      case 'arguments':
        return [{ type: 'tool-arguments', index: this.#callCount - 1, text: part.text }];
      case 'text':
        return this.#say('text', part.text, (this.#textStart ?? 0) + part.end);
    }
  }

  /**
   * Stop strings are searched in text and thinking only: the client does not see marks and call
   * syntax.
   */
  #say(type: OutputPart['type'], text: string, end: number): ParsedEvent[] {
    const before = type === this.#said.type ? [] : this.#flushHeld();
    const certain = this.#stop.push(text);
    const left = this.#heldLength + text.length - certain.length;
    this.#said = { type, end };
    this.#heldLength = left;
    return [...before, ...said(type, certain, end - left)];
  }

  #flushHeld(): ParsedEvent[] {
    this.#heldLength = 0;
    return said(this.#said.type, this.#stop.flush(), this.#said.end);
  }
}

function said(type: OutputPart['type'], text: string, end: number): ParsedEvent[] {
  if (text === '') return [];
  return [type === 'text' ? { type, text, end } : { type, text }];
}
