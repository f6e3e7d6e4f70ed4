import type { ApiErrorData } from '../../src/core/errors/errors.ts';
import type { GenerateEvent } from '../../src/core/operations/events/events.ts';
import type { Encoder } from '../generation/answer/encoder.ts';
import { namedFrame } from '../http/event-stream.ts';
import { anthropicError } from '../http/error-response.ts';
import {
  blockDelta,
  EMPTY_BLOCKS,
  emptyMessage,
  SIGNATURE,
  usageBody,
  wholeBlock,
  type ContentBlock,
  type MessageBody,
} from './message-body.ts';

/** What the answer depends on beside its events. */
export interface MessageOptions {
  model: string;
  /** Most tokens of the answer. */
  maxTokens: number;
  /** Whether the client wants to see that the model thinks, but not what. */
  omitsThinking: boolean;
}

type FinishEvent = Extract<GenerateEvent, { type: 'finish' }>;

/** Engine events → the events of Anthropic's Messages API and its whole answer, from the same steps. */
export class MessageEncoder implements Encoder {
  readonly #options: MessageOptions;
  /** The answer so far. */
  readonly #message: MessageBody;
  #hasBegun = false;
  /** The block that the model is writing, and what it has written. */
  #open: { empty: ContentBlock; text: string } | undefined;

  constructor(options: MessageOptions) {
    this.#options = options;
    this.#message = emptyMessage(options.model);
  }

  /** Empty: the first frame has the prompt's usage, which is known when the model begins to write. */
  opening(): string {
    return '';
  }

  event(event: GenerateEvent): string {
    return this.#begin(event) + this.#continue(event);
  }

  closing(): string {
    return namedFrame('message_stop', {});
  }

  failure(data: ApiErrorData): string {
    const { type, error } = anthropicError(data);
    return namedFrame(type, { error });
  }

  body(events: readonly GenerateEvent[]): MessageBody {
    for (const event of events) this.event(event);
    return this.#message;
  }

  #begin(event: GenerateEvent): string {
    if (this.#hasBegun || event.type === 'written') return '';
    this.#hasBegun = true;
    if (event.type === 'start' && event.prompt) {
      this.#message.usage = usageBody({ ...event.prompt, completionTokens: 0 });
    }
    return namedFrame('message_start', { message: this.#message });
  }

  #continue(event: GenerateEvent): string {
    switch (event.type) {
      case 'reasoning':
        return this.#grow('thinking', this.#options.omitsThinking ? '' : event.text);
      case 'text':
        return this.#grow('text', event.text);
      case 'tool-call': {
        const id = event.id.replace(/^call_/, 'toolu_');
        const begun = this.#openBlock({ type: 'tool_use', id, name: event.name, input: {} });
        return begun + this.#delta('');
      }
      case 'tool-arguments':
        return this.#delta(event.text);
      case 'finish':
        return this.#finish(event);
      case 'start':
      case 'queued':
      case 'reading':
      case 'scored':
      case 'written':
        return '';
    }
  }

  #grow(type: 'thinking' | 'text', text: string): string {
    const begun = this.#open?.empty.type === type ? '' : this.#openBlock(EMPTY_BLOCKS[type]);
    return text === '' ? begun : begun + this.#delta(text);
  }

  #openBlock(empty: ContentBlock): string {
    const closed = this.#closeBlock();
    this.#open = { empty, text: '' };
    return closed + this.#send('content_block_start', { content_block: empty });
  }

  #delta(text: string): string {
    if (!this.#open) return '';
    this.#open.text += text;
    return this.#send('content_block_delta', { delta: blockDelta(this.#open.empty.type, text) });
  }

  #closeBlock(): string {
    if (!this.#open) return '';
    const { empty, text } = this.#open;
    const delta = { type: 'signature_delta', signature: SIGNATURE };
    const signed = empty.type === 'thinking' ? this.#send('content_block_delta', { delta }) : '';
    const closed = signed + this.#send('content_block_stop', {});
    this.#message.content.push(wholeBlock(empty, text));
    this.#open = undefined;
    return closed;
  }

  #finish(event: FinishEvent): string {
    const closed = this.#closeBlock();
    const message = this.#message;
    message.stop_reason = this.#stopReason(event);
    message.stop_sequence = event.stop ?? null;
    message.usage = usageBody(event.usage);
    const { stop_reason, stop_sequence, usage } = message;
    const delta = { stop_reason, stop_sequence, stop_details: null, container: null };
    return closed + namedFrame('message_delta', { delta, usage });
  }

  #stopReason({ reason, stop, isTight, usage }: FinishEvent): string {
    if (stop !== undefined) return 'stop_sequence';
    switch (reason) {
      case 'stop':
        return 'end_turn';
      case 'tool_calls':
        return 'tool_use';
      case 'length':
        return usage.completionTokens < this.#options.maxTokens && !isTight
          ? 'model_context_window_exceeded'
          : 'max_tokens';
    }
  }

  #send(type: string, fields: object): string {
    return namedFrame(type, { index: this.#message.content.length, ...fields });
  }
}
