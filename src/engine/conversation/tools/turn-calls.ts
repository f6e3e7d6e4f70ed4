import type { GenerateEvent } from '../../../core/operations/events/events.ts';
import { newCallId } from './call-id.ts';
import type { AnswerPart } from './call-parser.ts';

type CallPart = Exclude<AnswerPart, { type: 'text' }>;
type CallEvent = Extract<GenerateEvent, { type: 'tool-call' | 'tool-arguments' }>;

interface Call {
  name: string;
  id: string | undefined;
  /** The arguments so far. */
  json: string;
  /** The place among the calls that are told; undefined: the call is not told yet. */
  index: number | undefined;
}

/** Ids as the APIs allow them. */
const VALID = /^[\w.:-]{1,64}$/;

/**
 * The calls of one turn. A model's own id is kept if it is valid and no other call has it; a call that repeats an
 * earlier one exactly is left out. While it may still become one, it is held back.
 */
export class TurnCalls {
  readonly #ids: Set<string>;
  readonly #past: Call[] = [];
  #open: Call | undefined;
  #count = 0;

  /** @param ids - of the calls in the conversation */
  constructor(ids: Iterable<string> = []) {
    this.#ids = new Set(ids);
  }

  /** How many calls were told. */
  get count(): number {
    return this.#count;
  }

  push(part: CallPart): CallEvent[] {
    if (part.type === 'call') {
      const ended = this.end();
      this.#open = { name: part.name, id: part.id, json: '', index: undefined };
      return [...ended, ...this.#tell(this.#open)];
    }
    const call = this.#open;
    if (!call) return [];
    call.json += part.text;
    if (call.index === undefined) return this.#tell(call);
    return [{ type: 'tool-arguments', index: call.index, text: part.text }];
  }

  /** To be called when something else follows, or nothing. */
  end(): CallEvent[] {
    const call = this.#open;
    if (!call) return [];
    this.#open = undefined;
    const isRepeat = this.#past.some(({ name, json }) => name === call.name && json === call.json);
    if (isRepeat) return [];
    this.#past.push(call);
    return call.index === undefined ? this.#begin(call) : [];
  }

  #tell(call: Call): CallEvent[] {
    const mayRepeat = this.#past.some(
      ({ name, json }) => name === call.name && json.startsWith(call.json),
    );
    return mayRepeat ? [] : this.#begin(call);
  }

  #begin(call: Call): CallEvent[] {
    const index = this.#count++;
    call.index = index;
    const { name, json } = call;
    const begun: CallEvent = { type: 'tool-call', index, id: this.#idOf(call), name };
    return json === '' ? [begun] : [begun, { type: 'tool-arguments', index, text: json }];
  }

  #idOf({ id: own = '' }: Call): string {
    const id = VALID.test(own) && !this.#ids.has(own) ? own : newCallId();
    this.#ids.add(id);
    return id;
  }
}
