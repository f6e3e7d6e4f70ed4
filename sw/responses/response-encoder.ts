import type { ApiErrorData } from '../../src/core/errors/errors.ts';
import type { FinishReason, Usage } from '../../src/core/operations/events.ts';
import type { Encoder } from '../generation/answer/encoder.ts';
import { namedFrame } from '../http/event-stream.ts';
import { unixSeconds } from '../generation/answer/ids.ts';
import { errorBody } from '../http/error-response.ts';
import type { ResponseEvent } from './file-search/answer-from-files.ts';
import type { Passage } from './file-search/file-search-request.ts';
import { OpenItem, type ReasoningOptions } from './open-item.ts';
import {
  samplingBody,
  usageBody,
  type ItemStatus,
  type OutputItem,
  type ResponseBody,
  type SearchItem,
} from './response-body.ts';

/** Which parts of items a request wants to see. */
interface ShownParts extends ReasoningOptions {
  /** The results of searches. */
  results: boolean;
}

/**
 * Engine events → the events of the Responses API and its whole answer, which come from the same steps.
 * Items follow one another; an item's id is the same in every event.
 */
export class ResponseEncoder implements Encoder<ResponseEvent> {
  /** The answer so far. */
  readonly response: ResponseBody;
  readonly #shows: ShownParts;
  #sequence = 0;
  #open: OpenItem | undefined;

  /** @param response - without output, which this encoder adds */
  constructor(response: ResponseBody, shows: ShownParts) {
    this.response = response;
    this.#shows = shows;
  }

  opening(): string {
    return this.#sendResponse('response.created') + this.#sendResponse('response.in_progress');
  }

  event(event: ResponseEvent): string {
    switch (event.type) {
      case 'reasoning': {
        const begun = this.#isOpen('reasoning') ? '' : this.#begin(OpenItem.reasoning());
        return begun + this.#sendText(event.text);
      }
      case 'text':
        return this.#beginMessage() + this.#sendText(event.text, event.logprobs);
      case 'cited':
        return this.#beginMessage() + this.#sendCitation(event.passage);
      case 'searching':
        return this.#beginSearch(event.id);
      case 'searched':
        return this.#endSearch(event);
      case 'tool-call':
        return this.#begin(OpenItem.call(event.id, event.name));
      case 'tool-arguments':
        return this.#sendText(event.text);
      case 'finish':
        return this.#finish(event.reason, event.usage);
      case 'start':
        if (event.sampling) Object.assign(this.response, samplingBody(event.sampling));
        return '';
      case 'queued':
      case 'reading':
      case 'scored':
      case 'written':
        return '';
    }
  }

  closing(): string {
    return this.#sendResponse(`response.${this.response.status}`);
  }

  /** Some clients expect the fields of an error event, others expect an `error`: this event has both. */
  failure(data: ApiErrorData): string {
    const error = errorBody(data);
    const { code, message, param } = error;
    return this.#send('error', { code, message, param, error });
  }

  body(events: readonly ResponseEvent[]): ResponseBody {
    for (const event of events) this.event(event);
    return this.response;
  }

  #isOpen(type: OutputItem['type']): boolean {
    return this.#open?.empty.type === type;
  }

  #beginMessage(): string {
    return this.#isOpen('message') ? '' : this.#begin(OpenItem.message());
  }

  /** A search reports what it finds at once, so that no text of it is streamed. */
  #beginSearch(id: string): string {
    const ended = this.#end('completed');
    const added = this.#sendItem('response.output_item.added', searchItem(id, 'in_progress'));
    return ended + added + this.#sendStage(id, 'in_progress') + this.#sendStage(id, 'searching');
  }

  #endSearch({ id, queries, passages }: Extract<ResponseEvent, { type: 'searched' }>): string {
    const results = this.#shows.results ? passages : null;
    const item = { ...searchItem(id, 'completed'), queries, results };
    const sent =
      this.#sendStage(id, 'completed') + this.#sendItem('response.output_item.done', item);
    this.response.output.push(item);
    return sent;
  }

  #begin(item: OpenItem): string {
    const ended = this.#end('completed');
    this.#open = item;
    const added = this.#sendItem('response.output_item.added', item.empty);
    return ended + added + this.#sendPart('added', item);
  }

  #end(status: ItemStatus): string {
    const item = this.#open;
    if (!item) return '';
    const text = this.#sendPlaced(`${item.stream.text}.done`, item, item.done);
    const part = this.#sendPart('done', item);
    const whole = item.whole(status, this.#shows);
    const done = this.#sendItem('response.output_item.done', whole);
    this.response.output.push(whole);
    this.#open = undefined;
    return text + part + done;
  }

  /** Ends the answer. Clients expect a message, even an empty one, unless the answer has calls. */
  #finish(reason: FinishReason, usage: Usage): string {
    const { response } = this;
    const status = reason === 'length' ? 'incomplete' : 'completed';
    const kinds = [...response.output, this.#open?.empty].map((item) => item?.type);
    const isSilent = !kinds.includes('message') && !kinds.includes('function_call');
    const last = isSilent
      ? this.#end(status) + this.#begin(OpenItem.message()) + this.#end(status)
      : this.#end(status);
    response.status = status;
    response.usage = usageBody(usage);
    if (status === 'completed') response.completed_at = unixSeconds();
    else response.incomplete_details = { reason: 'max_output_tokens' };
    return last;
  }

  #sendText(...text: Parameters<OpenItem['push']>): string {
    const item = this.#open;
    return item ? this.#sendPlaced(`${item.stream.text}.delta`, item, item.push(...text)) : '';
  }

  #sendCitation(passage: Passage): string {
    const item = this.#open;
    if (!item) return '';
    return this.#sendPlaced('response.output_text.annotation.added', item, item.cite(passage));
  }

  #sendStage(item_id: string, stage: string): string {
    const output_index = this.response.output.length;
    return this.#send(`response.file_search_call.${stage}`, { item_id, output_index });
  }

  #sendPart(suffix: string, item: OpenItem): string {
    const { part } = item.stream;
    return part ? this.#sendPlaced(`${part}.${suffix}`, item, { part: item.part }) : '';
  }

  #sendPlaced(type: string, { empty, stream }: OpenItem, fields: object): string {
    const output_index = this.response.output.length;
    return this.#send(type, { item_id: empty.id, output_index, ...stream.place, ...fields });
  }

  #sendItem(type: string, item: OutputItem): string {
    return this.#send(type, { output_index: this.response.output.length, item });
  }

  #sendResponse(type: string): string {
    return this.#send(type, { response: this.response });
  }

  #send(type: string, fields: object): string {
    return namedFrame(type, { sequence_number: this.#sequence++, ...fields });
  }
}

function searchItem(id: string, status: ItemStatus): SearchItem {
  return { id, type: 'file_search_call', status, queries: [], results: null };
}
