import type { ApiErrorData } from '../../src/core/errors/errors.ts';
import type { FinishReason, Usage } from '../../src/core/operations/events/events.ts';
import type { Encoder } from '../generation/answer/encoder.ts';
import { namedFrame } from '../http/event-stream.ts';
import { unixSeconds } from '../generation/answer/ids.ts';
import { errorBody } from '../http/error-response.ts';
import type { ResponseEvent } from './hosted/answer-with-tools.ts';
import type { HostedItem } from './hosted/hosted-items.ts';
import type { Passage } from './file-search/file-search-request.ts';
import { OpenItem, type ReasoningOptions } from './open-item.ts';
import {
  samplingBody,
  usageBody,
  type ItemStatus,
  type OutputItem,
  type ResponseBody,
} from './response-body.ts';

/** Items that may end an answer. */
const SPEAKING = new Set<string | undefined>(['message', 'function_call', 'mcp_approval_request']);

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
      case 'item-begun':
        return this.#beginHosted(event.item, event.stages);
      case 'item-ended':
        return this.#endHosted(event.item, event.stage);
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

  /** A tool that is run here. What it gives back is in the item's end: no text of it is streamed. */
  #beginHosted(item: HostedItem, stages: readonly string[]): string {
    const ended = this.#end('completed');
    const empty = item.type === 'mcp_call' ? { ...item, arguments: '' } : item;
    const added = this.#sendItem('response.output_item.added', empty);
    const begun = stages.map((stage) => this.#sendStage(item, stage)).join('');
    return ended + added + begun + (item.type === 'mcp_call' ? this.#sendArguments(item) : '');
  }

  #endHosted(item: HostedItem, stage: string | undefined): string {
    const isHidden = item.type === 'file_search_call' && !this.#shows.results;
    const shown = isHidden ? { ...item, results: null } : item;
    const ended = stage === undefined ? '' : this.#sendStage(item, stage);
    const done = this.#sendItem('response.output_item.done', shown);
    this.response.output.push(shown);
    return ended + done;
  }

  #sendArguments({ id: item_id, arguments: all }: Extract<HostedItem, { type: 'mcp_call' }>) {
    const output_index = this.response.output.length;
    const type = 'response.mcp_call_arguments';
    return (
      this.#send(`${type}.delta`, { item_id, output_index, delta: all }) +
      this.#send(`${type}.done`, { item_id, output_index, arguments: all })
    );
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
    const items = [...response.output, this.#open?.empty];
    const isSilent = items.every((item) => !SPEAKING.has(item?.type));
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

  #sendStage({ id: item_id, type }: HostedItem, stage: string): string {
    const output_index = this.response.output.length;
    return this.#send(`response.${type}.${stage}`, { item_id, output_index });
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
