import type { FinishReason, GenerateEvent, Usage } from '../../../core/operations/events/events.ts';
import {
  ReasoningSplitter,
  thinksAgain,
  type OutputPart,
  type ThinkingPlace,
} from './reasoning-splitter.ts';
import { StrayMarks, type ShownText } from './stray-marks.ts';
import type { AnswerMarks, ThoughtMarks } from '../thinking/thinking-format.ts';
import { StopFilter } from '../../../core/text/stop-filter.ts';
import type { AnswerPart, CallParser } from '../tools/call-parser.ts';
import { TurnCalls } from '../tools/turn-calls.ts';

/** An event of an answer. A text event says where in the output it ends, in UTF-16 units. */
export type ParsedEvent =
  Exclude<GenerateEvent, { type: 'text' }> | { type: 'text'; text: string; end: number };

/** How an answer is to be read. */
export interface OutputReading {
  /** Strings that end the answer's text. */
  stop: string[];
  /** Stop strings are searched only after this many tokens. */
  minTokens?: number | undefined;
  /** The marks that the model thinks between; undefined: everything is text. */
  marks?: ThoughtMarks | undefined;
  /** The marks of the answer's text; undefined: there are none. */
  answer?: AnswerMarks | undefined;
  /** Texts of control tokens that are parts of marks: alone they are no text either. */
  controls?: readonly string[];
  /** Where the answer begins; undefined: before any mark. */
  thinking?: ThinkingPlace;
  /** Undefined if the model may not call tools. */
  calls?: CallParser | undefined;
  /** Ids of the calls in the conversation; undefined: there are none. */
  callIds?: readonly string[] | undefined;
}

/** Turns raw output, piece by piece, into the answer's events: thinking, text, calls and the end. */
export class OutputParser {
  readonly #stop: StopFilter;
  readonly #minTokens: number;
  readonly #splitter: ReasoningSplitter | undefined;
  readonly #strays: StrayMarks;
  readonly #thoughts: StrayMarks;
  #thoughtEnd = 0;
  readonly #calls: CallParser | undefined;
  #output = '';
  /** Tokens of the output so far. */
  #tokens = 0;
  /** Where in the output the text begins. The call parser reads only the text. */
  #textStart = 0;
  /** How much text there was. */
  #textRead = 0;
  /** Where in the output the text ends that the stop filter received last, and how much of it is held back. */
  #said = { end: 0, held: 0 };
  #reasoningTokens = 0;
  readonly #turn: TurnCalls;

  constructor({
    stop,
    minTokens = 0,
    marks,
    thinking = 'before',
    answer,
    controls = [],
    calls,
    callIds,
  }: OutputReading) {
    // Stop strings are found here for all engines: WebLLM's own leak their first characters.
    this.#stop = new StopFilter(stop);
    this.#minTokens = minTokens;
    this.#splitter = marks && new ReasoningSplitter(marks, thinking, thinksAgain(answer));
    this.#strays = new StrayMarks(
      [...(marks ? [marks.close] : []), ...(answer?.around ?? []), ...controls],
      answer?.begin,
    );
    this.#thoughts = new StrayMarks(controls);
    this.#calls = calls;
    this.#turn = new TurnCalls(callIds);
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
    return { reason: reason === 'stop' && this.#turn.count > 0 ? 'tool_calls' : reason };
  }

  /**
   * @param text - the piece that one token adds
   * @param tokens - of the output up to the end of this piece; undefined: one more than before
   */
  push(text: string, tokens = this.#tokens + 1): ParsedEvent[] {
    this.#output += text;
    this.#tokens = tokens;
    const wasInside = this.#splitter?.inside ?? false;
    const parts = this.#splitter?.push(text) ?? [{ type: 'text' as const, text, back: 0 }];
    // The tokens of the marks count as thinking.
    if (wasInside || this.#splitter?.inside) this.#reasoningTokens++;
    return parts.flatMap((part) => this.#events(part));
  }

  /** @param isCut - whether the output was cut before the model ended it */
  flush(isCut: boolean): ParsedEvent[] {
    const last = (this.#splitter?.flush() ?? []).flatMap((part) => this.#events(part));
    last.push(...thought(this.#thoughts.flush()));
    last.push(...this.#answer(this.#calls?.flush(isCut) ?? []));
    return [...last, ...this.#turn.end(), ...this.#flushText()];
  }

  #events({ type, text, back }: OutputPart): ParsedEvent[] {
    if (type === 'reasoning') {
      this.#thoughtEnd += text.length;
      return thought(this.#thoughts.push(text, this.#thoughtEnd));
    }
    const thoughts = thought(this.#thoughts.flush());
    // Thoughts may stand between texts.
    this.#textStart = this.#output.length - back - text.length - this.#textRead;
    this.#textRead += text.length;
    const answer = this.#answer(this.#calls?.push(text) ?? [{ type, text, end: this.#textRead }]);
    return [...thoughts, ...answer];
  }

  #answer(parts: readonly AnswerPart[]): ParsedEvent[] {
    return parts.flatMap((part) => (this.stopped ? [] : this.#answerPart(part)));
  }

  #answerPart(part: AnswerPart): ParsedEvent[] {
    switch (part.type) {
      case 'call':
        return [...this.#flushText(), ...this.#turn.push(part)];
      case 'arguments':
        return this.#turn.push(part);
      case 'text': {
        const end = this.#textStart + part.end;
        const shown = this.#strays.push(part.text, end).flatMap((each) => this.#say(each));
        return [...this.#turn.end(), ...shown];
      }
    }
  }

  /** Stop strings are searched in the answer's text only: they end neither thinking nor calls. */
  #say({ text, end }: ShownText): ParsedEvent[] {
    if (this.stopped) return [];
    // Text does not match across a mark that was left out.
    const before = end - text.length === this.#said.end ? [] : this.#flushStop();
    const isEarly = this.#tokens <= this.#minTokens;
    const certain = isEarly ? text : this.#stop.push(text);
    const held = isEarly ? 0 : this.#said.held + text.length - certain.length;
    this.#said = { end, held: before.length > 0 ? text.length - certain.length : held };
    return [...before, ...said(certain, end - this.#said.held)];
  }

  #flushText(): ParsedEvent[] {
    const last = this.#strays.flush().flatMap((shown) => this.#say(shown));
    return [...last, ...this.#flushStop()];
  }

  #flushStop(): ParsedEvent[] {
    this.#said.held = 0;
    return said(this.#stop.flush(), this.#said.end);
  }
}

function thought(shown: readonly ShownText[]): ParsedEvent[] {
  return shown.map(({ text }) => ({ type: 'reasoning', text }));
}

function said(text: string, end: number): ParsedEvent[] {
  return text === '' ? [] : [{ type: 'text', text, end }];
}
