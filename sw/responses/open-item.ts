import type { TokenLogprob } from '../../src/core/operations/events/events.ts';
import { newId } from '../generation/answer/ids.ts';
import { encodeReasoning } from './encrypted-reasoning.ts';
import {
  logprobBody,
  type ItemStatus,
  type Citation,
  type TextPart,
  type WrittenItem,
} from './response-body.ts';

/** What reasoning items carry beside their summary. */
export interface ReasoningOptions {
  /** Whether reasoning items repeat their text as `content`. */
  content: boolean;
  /** Whether reasoning items repeat their text as `encrypted_content`. */
  encrypted: boolean;
}

/** How an item's text is streamed: the names of its events, and the place of its only part. */
const STREAMS = {
  reasoning: {
    part: 'response.reasoning_summary_part',
    text: 'response.reasoning_summary_text',
    place: { summary_index: 0 },
  },
  message: {
    part: 'response.content_part',
    text: 'response.output_text',
    place: { content_index: 0 },
  },
  function_call: { part: undefined, text: 'response.function_call_arguments', place: {} },
} as const;

/** An item that the model is writing. */
export class OpenItem {
  readonly #empty: WrittenItem;
  #text = '';
  #logprobs: TokenLogprob[] = [];
  readonly #annotations: Citation[] = [];

  /** @param empty - the item without its text */
  constructor(empty: WrittenItem) {
    this.#empty = empty;
  }

  static reasoning(): OpenItem {
    return new OpenItem({ id: newId('rs_'), type: 'reasoning', summary: [] });
  }

  static message(): OpenItem {
    const role = 'assistant';
    const id = newId('msg_');
    return new OpenItem({ id, type: 'message', status: 'in_progress', role, content: [] });
  }

  static call(call_id: string, name: string): OpenItem {
    const call = { status: 'in_progress', call_id, name, arguments: '' } as const;
    return new OpenItem({ id: newId('fc_'), type: 'function_call', ...call });
  }

  get empty(): WrittenItem {
    return this.#empty;
  }

  get stream() {
    return STREAMS[this.#empty.type];
  }

  /** @returns the fields of the text's event */
  push(text: string, logprobs: TokenLogprob[] = []) {
    this.#text += text;
    this.#logprobs.push(...logprobs);
    return { delta: text, ...this.#withLogprobs(logprobs) };
  }

  /** Cites a passage at the end of the text so far. @returns the fields of the event */
  cite({ file_id, filename }: Pick<Citation, 'file_id' | 'filename'>) {
    const index = this.#text.length;
    const annotation: Citation = { type: 'file_citation', file_id, filename, index };
    const annotation_index = this.#annotations.push(annotation) - 1;
    return { annotation_index, annotation };
  }

  /** The fields of the event that repeats the whole text. */
  get done() {
    if (this.#empty.type === 'function_call') {
      return { name: this.#empty.name, arguments: this.#text };
    }
    return { text: this.#text, ...this.#withLogprobs(this.#logprobs) };
  }

  /** The item's only part so far. */
  get part() {
    return this.#empty.type === 'message' ? this.#textPart() : this.#summaryPart();
  }

  whole(status: ItemStatus, { content, encrypted }: ReasoningOptions): WrittenItem {
    const text = this.#text;
    switch (this.#empty.type) {
      case 'message':
        return { ...this.#empty, status, content: [this.#textPart()] };
      case 'function_call':
        return { ...this.#empty, status, arguments: text };
      case 'reasoning':
        return {
          ...this.#empty,
          summary: [this.#summaryPart()],
          ...(content && { content: [{ type: 'reasoning_text', text }] }),
          ...(encrypted && { encrypted_content: encodeReasoning(text) }),
          ...(status === 'incomplete' && { status }),
        };
    }
  }

  #textPart(): TextPart {
    const logprobs = this.#logprobs.map(logprobBody);
    return { type: 'output_text', text: this.#text, annotations: [...this.#annotations], logprobs };
  }

  #summaryPart() {
    return { type: 'summary_text' as const, text: this.#text };
  }

  #withLogprobs(logprobs: readonly TokenLogprob[]) {
    return this.#empty.type === 'message' ? { logprobs: logprobs.map(logprobBody) } : {};
  }
}
