import { batch, signal } from '@preact/signals';
import { fill } from '../../messages/fill.ts';
import { messages } from '../../messages/messages.ts';
import type { Turn } from '../conversation/conversation.ts';
import type { Figures } from './answer-stats.ts';
import type { AnswerPiece } from './api-client.ts';
import { takeSentences, withoutMarks } from './sentences.ts';
import type { Citation, Source } from '../library/sources.ts';
import type { ServerStep } from '../servers/server-step.ts';
import { withPiece, type ToolCall, type ToolCallPiece } from '../tools/tool-call.ts';

/**
 * How often the text is drawn while it grows, milliseconds. Models write up to some hundred pieces a second, and drawing
 * each would leave the page no time for anything else.
 */
const DRAW_EACH_MS = 50;

/** An answer that is still being generated. */
export class RunningAnswer {
  /** Id of its turn. */
  readonly turn: string;
  /** Id of the model that makes it. */
  readonly model: string;
  readonly text = signal('');
  readonly reasoning = signal('');
  /** The functions that it calls. */
  readonly toolCalls = signal<readonly ToolCall[]>([]);
  /** The passages of stored files that were found for it. */
  readonly sources = signal<readonly Source[]>([]);
  /** What servers were asked for. */
  readonly steps = signal<readonly ServerStep[]>([]);
  readonly #citations: Citation[];
  /** Name of the server that makes it; empty: this device. */
  readonly servedBy = signal('');
  /** `1 request before yours`; empty: the request does not wait, or its place is unknown. */
  readonly waiting = signal('');
  /** How much of the prompt has been read, 0 to 1; null: unknown. */
  readonly reading = signal<number | null>(null);
  /** Text for screen readers, in whole sentences, because single tokens would interrupt each other. */
  readonly said = signal<readonly string[]>([]);
  /** Known at its end. */
  figures: Figures | undefined;
  readonly #stopping = new AbortController();
  #unsaid = '';
  /** What has arrived since the last drawing. */
  #undrawn: AnswerPiece[] = [];
  #drawing: ReturnType<typeof setTimeout> | undefined;

  /** @param begun - the answer that it continues; undefined: it is a new one */
  constructor(model: string, begun?: Turn) {
    this.model = model;
    this.turn = begun?.id ?? crypto.randomUUID();
    this.text.value = begun?.text ?? '';
    this.reasoning.value = begun?.reasoning ?? '';
    this.sources.value = begun?.sources ?? [];
    this.steps.value = begun?.steps ?? [];
    this.#citations = [...(begun?.citations ?? [])];
  }

  /** Aborts when the user stops the answer. */
  get signal(): AbortSignal {
    return this.#stopping.signal;
  }

  append(piece: AnswerPiece): void {
    this.#undrawn.push(piece);
    this.#drawing ??= setTimeout(() => this.#draw(), DRAW_EACH_MS);
  }

  #draw(): void {
    clearTimeout(this.#drawing);
    this.#drawing = undefined;
    if (this.#undrawn.length === 0) return;
    const textOf = (wanted: AnswerPiece['type']) =>
      this.#undrawn.map(({ type, text }) => (type === wanted ? text : '')).join('');
    const text = textOf('text');
    batch(() => {
      this.waiting.value = '';
      this.reasoning.value += textOf('reasoning');
      this.text.value += text;
    });
    this.#undrawn = [];
    const { sentences, rest } = takeSentences(this.#unsaid + text);
    this.#unsaid = rest;
    if (sentences !== '') this.#say(withoutMarks(sentences));
  }

  /** Adds a piece of a function call. */
  call(piece: ToolCallPiece): void {
    this.waiting.value = '';
    if (piece.name !== '')
      this.#say(fill(messages.value.chat.tools.isCalling, { name: piece.name }));
    this.toolCalls.value = withPiece(this.toolCalls.value, piece);
  }

  /** Notes that the code of the called functions runs. */
  run(names: readonly string[]): void {
    this.waiting.value = fill(messages.value.chat.tools.runs, { names: names.join(', ') });
    this.#say(this.waiting.value);
  }

  cite(citation: Citation): void {
    this.#citations.push(citation);
  }

  /** Notes that the request waits behind `before` others. */
  wait(before: number): void {
    this.waiting.value = fill(messages.value.chat.notes.queue, { count: before });
    this.#say(this.waiting.value);
  }

  /** @param fraction - how much of the prompt has been read, 0 to 1 */
  read(fraction: number): void {
    this.waiting.value = '';
    if (this.reading.value === null && fraction < 1) this.#say(messages.value.chat.notes.isReading);
    this.reading.value = fraction;
  }

  /** The turn with the text and the calls that the model has written until now. */
  writtenInto(turn: Turn): Turn {
    this.#draw();
    return this.drawnInto(turn);
  }

  /** The turn with what is drawn of the answer, which lacks the newest pieces. */
  drawnInto(turn: Turn): Turn {
    const { model, text, reasoning, toolCalls, sources, steps, servedBy, figures } = this;
    return {
      ...turn,
      model,
      text: text.value,
      ...(reasoning.value !== '' && { reasoning: reasoning.value }),
      ...(toolCalls.value.length > 0 && { toolCalls: toolCalls.value }),
      ...(sources.value.length > 0 && { sources: sources.value }),
      ...(this.#citations.length > 0 && { citations: [...this.#citations] }),
      ...(steps.value.length > 0 && { steps: steps.value }),
      ...(servedBy.value !== '' && { servedBy: servedBy.value }),
      ...(figures && { figures }),
    };
  }

  stop(): void {
    this.#stopping.abort();
  }

  end(wasStopped: boolean): void {
    this.#draw();
    if (this.#unsaid.trim() !== '') this.#say(withoutMarks(this.#unsaid.trim()));
    const { hasStopped, end } = messages.value.chat.notes;
    this.#say(wasStopped ? hasStopped : end);
  }

  #say(text: string): void {
    this.said.value = [...this.said.value, text];
  }
}
