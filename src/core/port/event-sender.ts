import type { JobEvent } from '../operations/events/events.ts';
import type { Operation } from '../operations/jobs/jobs.ts';
import type { FromHost } from './port-messages.ts';

/** The part of a port that sends a host's messages. */
interface SendingPort {
  postMessage(message: FromHost | FromHost[]): void;
}

/** Operations whose answers are sent when they are complete: no client reads their events one by one. */
const GATHERED = new Set<Operation>(['embed', 'rerank']);

/**
 * Sends the events of one job. Each message wakes the client's thread, which costs more than the event itself. So all
 * events of one token are one message. A job whose answer is read as a whole waits until no more events follow at once.
 * The end of the job is sent with the last events.
 */
export class EventSender {
  readonly #id: number;
  readonly #port: SendingPort;
  readonly #isGathered: boolean;
  #held: FromHost[] = [];
  #isDue = false;

  constructor(id: number, op: Operation, port: SendingPort) {
    this.#id = id;
    this.#port = port;
    this.#isGathered = GATHERED.has(op);
  }

  /** The sink of the job's events. */
  readonly event = (event: JobEvent): void => {
    this.#held.push({ type: 'event', id: this.#id, event });
    // What follows may block the thread for long.
    if (event.type === 'encoded') return this.#flush();
    if (this.#isDue) return;
    this.#isDue = true;
    if (this.#isGathered) setTimeout(this.#flush);
    else queueMicrotask(this.#flush);
  };

  done(): void {
    this.#end({ type: 'done', id: this.#id });
  }

  failed(failure: Omit<Extract<FromHost, { type: 'failed' }>, 'type' | 'id'>): void {
    this.#end({ type: 'failed', id: this.#id, ...failure });
  }

  /** Drops the held events: the client no longer waits for the job. */
  cancelled(): void {
    this.#held = [];
  }

  #end(last: FromHost): void {
    this.#held.push(last);
    this.#flush();
  }

  readonly #flush = (): void => {
    this.#isDue = false;
    const [first, ...others] = this.#held;
    if (first) this.#port.postMessage(others.length > 0 ? this.#held : first);
    this.#held = [];
  };
}
