import type { ApiErrorData } from '../../src/core/errors/errors.ts';
import type { FinishReason, GenerateEvent, Usage } from '../../src/core/operations/events.ts';
import type { Encoder } from '../generation/answer/encoder.ts';
import { namedFrame } from '../http/event-stream.ts';
import { unixSeconds } from '../generation/answer/ids.ts';
import { errorBody } from '../http/error-response.ts';
import { OpenItem, type ReasoningOptions } from './open-item.ts';
import {
  samplingBody,
  usageBody,
  type ItemStatus,
  type OutputItem,
  type ResponseBody,
} from './response-body.ts';

/**
 * Engine events → the events of the Responses API and its whole answer, which come from the same steps.
 * Items follow one another; an item's id is the same in every event.
 */
export class ResponseEncoder implements Encoder {
  /** The answer so far. */
  readonly response: ResponseBody;
  readonly #reasoning: ReasoningOptions;
  #sequence = 0;
  #open: OpenItem | undefined;

  /** @param response - without output, which this encoder adds */
  constructor(response: ResponseBody, reasoning: ReasoningOptions) {
    this.response = response;
    this.#reasoning = reasoning;
  }

  opening(): string {
    return this.#sendResponse('response.created') + this.#sendResponse('response.in_progress');
  }

  event(event: GenerateEvent): string {
    switch (event.type) {
      case 'reasoning': {
        const begun = this.#isOpen('reasoning') ? '' : this.#begin(OpenItem.reasoning());
        return begun + this.#sendText(event.text);
      }
      case 'text': {
        const begun = this.#isOpen('message') ? '' : this.#begin(OpenItem.message());
        return begun + this.#sendText(event.text, event.logprobs);
      }
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

  body(events: readonly GenerateEvent[]): ResponseBody {
    for (const event of events) this.event(event);
    return this.response;
  }

  #isOpen(type: OutputItem['type']): boolean {
    return this.#open?.empty.type === type;
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
    const whole = item.whole(status, this.#reasoning);
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
